import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** 256 random bits in base64url after a prefix that identifies the kind of token to people and secret scanners (A1). */
export function randomToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits, uniformly distributed. */
export function randomAlphanumeric(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: larger values would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62]
    }
  }
  return text
}

/** The stored form of a token, which can find it but not reveal it. */
export function sha256(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer')
}

export function hmacSha256Hex(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Compares two digests in constant time. */
export function sameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Compares two texts of any length in constant time, by their digests. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}

const NONCE = 12
const TAG = 16

/** AES-256-GCM: nonce, ciphertext, tag. `place` is authenticated data, so a sealed value is valid in one place only. */
export function seal(key: Buffer, place: string, text: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts the output of `seal`. Throws if the key, the place or a single bit differs. */
export function unseal(key: Buffer, place: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE)).setAAD(Buffer.from(place))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG))
  const text = decipher.update(sealed.subarray(NONCE, sealed.length - TAG), undefined, 'utf8')
  return text + decipher.final('utf8')
}

/** Derives a key for one purpose from a high-entropy secret (RFC 5869). */
export function deriveKey(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, 32))
}
