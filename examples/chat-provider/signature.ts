import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA1 of the exact bytes with the channel's secret. */
export const sign = (secret: string, body: string | Buffer): string =>
  createHmac('sha1', secret).update(body).digest('hex')

/** Compares in constant time. */
export function isSignedBy(secret: string, body: Buffer, signature: string): boolean {
  const expected = Buffer.from(sign(secret, body))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
