import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Certificate {
  /** Both as PEM. */
  cert: string
  key: string
}

/** An unknown authority and its certificate for these names. Created in each run and valid for a day. */
export function makeCertificates(names: string[]): { authority: string; server: Certificate } {
  const authority = newKeys()
  const server = newKeys()
  const authorityName = distinguished('Patchbay test authority')
  const basis = extension('2.5.29.19', sequence(boolean(true)), true)
  const canSign = extension('2.5.29.15', tlv(0x03, Buffer.from([1, 0x06])), true)
  const isServer = extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1')))
  const answersTo = extension('2.5.29.17', sequence(...names.map(alternative)))
  return {
    authority: certify(authorityName, authority.publicKey, authorityName, authority.privateKey, [
      basis,
      canSign,
    ]),
    server: {
      cert: certify(
        distinguished(names[0] as string),
        server.publicKey,
        authorityName,
        authority.privateKey,
        [isServer, answersTo],
      ),
      key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    },
  }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

const DAY_MS = 24 * 60 * 60 * 1000
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'

/** RFC 5280, section 4.1. Node can parse certificates but not create them. */
function certify(
  subject: Buffer,
  subjectKey: KeyObject,
  issuer: Buffer,
  issuerKey: KeyObject,
  extensions: Buffer[],
): string {
  const algorithm = sequence(oid(ECDSA_WITH_SHA256))
  const now = Date.now()
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    // A serial number is positive, so its first bit is 0.
    tlv(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    algorithm,
    issuer,
    sequence(time(now - DAY_MS), time(now + DAY_MS)),
    subject,
    subjectKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, issuerKey)
  const der = sequence(body, algorithm, bits(signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const distinguished = (name: string): Buffer =>
  sequence(tlv(0x31, sequence(oid('2.5.4.3'), tlv(0x0c, Buffer.from(name)))))

const alternative = (name: string): Buffer =>
  isIP(name) ? tlv(0x87, Buffer.from(name.split('.').map(Number))) : tlv(0x82, Buffer.from(name))

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), tlv(0x04, value))

const time = (at: number): Buffer =>
  tlv(0x18, Buffer.from(new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')))

const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]))
const bits = (value: Buffer): Buffer => tlv(0x03, Buffer.concat([Buffer.from([0]), value]))
const sequence = (...parts: Buffer[]): Buffer => tlv(0x30, Buffer.concat(parts))

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** Seven bits per byte, the highest first. All but the last byte are marked. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80)
  return bytes
}

/** A tag, the length and the content. */
function tlv(tag: number, content: Buffer): Buffer {
  const size = content.length
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content])
  const digits = size < 0x100 ? [size] : [size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length, ...digits]), content])
}
