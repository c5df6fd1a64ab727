import { createHash, createHmac } from 'node:crypto'
import { sameText } from '../../secrets.ts'

/** How far the `Date` of a request may be from now. */
const DATE_MS = 15 * 60 * 1000
/**
 * RFC 2822, 3.3, as clients write it. Of its obsolete zone names only `GMT` is in use; Go's `time.RFC1123` and Python's `%Z`
 * write `UTC`. Templates of JavaScript libraries write the offset with a colon (`Z`), and the hour with one digit (`H`).
 */
export const SIGNED_DATE =
  /^((Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{1,2}:\d{2}(:\d{2})? (GMT|UTC|[+-]\d{2}:?\d{2})$/

/** The signed parts of a request. */
export interface SignedRequest {
  method: string
  /** The raw path without the query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** HMAC-SHA1 in lower-case hex, of incoming and outgoing bodies (C2; docs/wire/chats.md#signature). */
export const bodySignature = (secret: string, bytes: Buffer | string): string =>
  createHmac('sha1', secret).update(bytes).digest('hex')

/**
 * The signed text of a request: its body, or with `Date` and `Content-MD5` the lines of the newer recipe: method,
 * digest, type, date and path (C2). Null if no signature can be valid: the date is out of range, the digest is
 * wrong, or only the body is signed and says nothing, because it is empty or that of a GET: the signature would be valid
 * for every such request.
 */
export function signedText(
  { method, path, headers, body }: SignedRequest,
  now: number,
): Buffer | string | null {
  const { date, 'content-md5': digest, 'content-type': type = '' } = headers
  if (date === undefined || digest === undefined) return body.length > 0 && method !== 'GET' ? body : null
  if (!isNow(String(date), now)) return null
  if (digest !== createHash('md5').update(body).digest('hex')) return null
  return `${method}\n${digest}\n${type}\n${date}\n${path}`
}

function isNow(date: string, now: number): boolean {
  const at = SIGNED_DATE.test(date) ? Date.parse(date) : Number.NaN
  return Math.abs(at - now) <= DATE_MS
}

/** Compares in constant time. Upper-case hex is not equal. */
export const isSignedWith = (secret: string, signature: string, text: Buffer | string): boolean =>
  sameText(signature, bodySignature(secret, text))
