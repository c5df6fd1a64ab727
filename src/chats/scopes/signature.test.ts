import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { times } from '../../../test/long.ts'
import { bodySignature, isSignedWith, type SignedRequest, signedText } from './signature.ts'

const BODIES = times(2_000, 10_000)
/** Bodies that are signed with one secret. */
const BATCH = 500

/** JSON as programs write it, and any other text. */
const bodies = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc
    .record({ text: fc.string({ unit: 'binary' }), at: fc.integer() })
    .map((value) => Buffer.from(JSON.stringify(value, null, 1))),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
)

function batches(): { secret: string; bodies: Buffer[] }[] {
  const all = fc.sample(bodies, BODIES)
  return Array.from({ length: BODIES / BATCH }, (_, i) => ({
    secret: randomBytes(40).toString('hex'),
    bodies: all.slice(i * BATCH, (i + 1) * BATCH),
  }))
}

const sha1 = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest()

/** HMAC as RFC 2104 builds it, of nothing but SHA-1. */
function byHand(secret: string, body: Buffer): string {
  const given = Buffer.from(secret)
  const key = Buffer.alloc(64)
  ;(given.length > 64 ? sha1(given) : given).copy(key)
  const padded = (byte: number) => Buffer.from(key.map((one) => one ^ byte))
  return sha1(Buffer.concat([padded(0x5c), sha1(Buffer.concat([padded(0x36), body]))])).toString('hex')
}

/** The signature of each body by `openssl dgst -sha1 -hmac`, in one process. */
function byOpenssl(folder: string, secret: string, list: Buffer[]): string[] {
  const files = list.map((body, i) => {
    const file = join(folder, String(i))
    writeFileSync(file, body)
    return file
  })
  const { stdout, stderr, status } = spawnSync('openssl', ['dgst', '-sha1', '-hmac', secret, ...files])
  if (status !== 0) throw new Error(String(stderr))
  return [...String(stdout).matchAll(/^HMAC-SHA1\(.+\)= ([0-9a-f]{40})$/gm)].map(([, hex]) => hex as string)
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe('The signature of a body (C2)', () => {
  test(`is the HMAC-SHA1 of RFC 2104 for ${BODIES} generated bodies`, () => {
    let compared = 0
    for (const { secret, bodies: list } of batches())
      for (const body of list) {
        expect(bodySignature(secret, body)).toBe(byHand(secret, body))
        compared++
      }
    expect(compared).toBe(BODIES)
  })

  // Where this shows as skipped there is no openssl: then the test above is all that was compared with.
  test.skipIf(!hasOpenssl)(`is that of openssl for ${BODIES} generated bodies`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-bodies-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    let compared = 0
    for (const { secret, bodies: list } of batches()) {
      const said = byOpenssl(folder, secret, list)
      expect(list.map((body) => bodySignature(secret, body))).toEqual(said)
      compared += said.length
    }
    expect(compared).toBe(BODIES)
  })

  test('is the same for a text and its UTF-8 bytes, in lower-case hex', () => {
    // Test case 2 of RFC 2202.
    expect(bodySignature('Jefe', 'what do ya want for nothing?')).toBe(
      'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79',
    )
    expect(bodySignature('s', '{"text":"ñ – 😀"}')).toBe(
      bodySignature('s', Buffer.from('{"text":"ñ – 😀"}', 'utf8')),
    )
  })

  test('differs in another case, with a space or in another length', () => {
    const right = bodySignature('s', 'x')
    const isRight = (signature: string) => isSignedWith('s', signature, 'x')
    expect(isRight(right)).toBe(true)
    const wrong = [right.toUpperCase(), ` ${right}`, `${right} `, right.slice(1), `${right}00`, '', '0']
    expect(wrong.filter(isRight)).toEqual([])
  })
})

const NOW = Date.UTC(2026, 2, 1, 12)
const md5 = (body: string) => createHash('md5').update(body).digest('hex')
const ofText = (body: string, headers: Record<string, string> = {}): SignedRequest => ({
  method: 'POST',
  path: '/v2/origin/custom/a_b',
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(body),
})

describe('The signed text', () => {
  test('is the body, byte for byte', () => {
    expect(signedText(ofText('{"a": 1}\n'), NOW)).toEqual(Buffer.from('{"a": 1}\n'))
  })

  test('consists of method, digest, type, date and path if there are Date and Content-MD5', () => {
    const date = 'Sun, 01 Mar 2026 12:00:00 +0000'
    const request = ofText('{"a":1}', { date, 'content-md5': md5('{"a":1}') })
    expect(signedText(request, NOW)).toBe(
      `POST\n${md5('{"a":1}')}\napplication/json\n${date}\n/v2/origin/custom/a_b`,
    )
    const bare = { ...ofText('', { date, 'content-md5': md5('') }), method: 'GET' }
    expect(signedText(bare, NOW)).toBe(
      `GET\nd41d8cd98f00b204e9800998ecf8427e\napplication/json\n${date}\n/v2/origin/custom/a_b`,
    )
  })

  test('is the body if one of the two headers is missing', () => {
    const date = 'Sun, 01 Mar 2026 12:00:00 GMT'
    expect(signedText(ofText('x', { date }), NOW)).toEqual(Buffer.from('x'))
    expect(signedText(ofText('x', { 'content-md5': md5('y') }), NOW)).toEqual(Buffer.from('x'))
  })

  test('does not exist without a body, or if the digest is wrong', () => {
    expect(signedText(ofText(''), NOW)).toBe(null)
    // The body of a GET is the same for all of them.
    expect(signedText({ ...ofText('[]'), method: 'GET' }, NOW)).toBe(null)
    const date = 'Sun, 01 Mar 2026 12:00:00 GMT'
    const digests = [md5('y'), md5('x').toUpperCase(), Buffer.from(md5('x'), 'hex').toString('base64'), '']
    const texts = digests.map((digest) => signedText(ofText('x', { date, 'content-md5': digest }), NOW))
    expect(texts).toEqual(digests.map(() => null))
  })

  const taken = [
    'Sun, 01 Mar 2026 12:00:00 GMT',
    'Sun, 1 Mar 2026 12:00:00 GMT',
    'Sun, 01 Mar 2026 12:00:00 UTC',
    'Sun, 01 Mar 2026 14:00:00 +0200',
    '01 Mar 2026 09:00 -0300',
    'Sun, 01 Mar 2026 15:00:00 +03:00',
    'Sun, 01 Mar 2026 9:00:00 -03:00',
    'Sun, 01 Mar 2026 11:45:00 GMT',
    'Sun, 01 Mar 2026 12:15:00 +0000',
  ]
  test.each(taken)('accepts dates within 15 minutes: %s', (date) => {
    expect(signedText(ofText('x', { date, 'content-md5': md5('x') }), NOW)).toEqual(expect.any(String))
  })

  const refused = [
    'Sun, 01 Mar 2026 11:44:59 GMT',
    'Sun, 01 Mar 2026 12:15:01 GMT',
    'Sun, 01 Mar 2026 12:00:00 +0200',
    'Sun, 01 Mar 2026 12:00:00 +03:00',
    'Sun, 01 Mar 2026 12:00:00 +3:00',
    'Sun, 01 Mar 2025 12:00:00 GMT',
    '2026-03-01T12:00:00Z',
    'Sun Mar 01 2026 12:00:00 GMT',
    String(NOW / 1000),
    'Sun, 01 Mar 2026 12:00:00',
    'Sun, 01 Mar 2026 12:00:00 MSK',
    'Sun, 99 Mar 2026 12:00:00 GMT',
    'now',
    '',
  ]
  test.each(refused)('refuses other and invalid dates: %s', (date) => {
    expect(signedText(ofText('x', { date, 'content-md5': md5('x') }), NOW)).toBe(null)
  })
})
