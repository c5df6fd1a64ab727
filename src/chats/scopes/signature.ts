import { createHash, createHmac } from 'node:crypto'
import { sameText } from '../../secrets.ts'

/** For so long before and after the moment that its `Date` names, a request is taken (wire-facts 9.1). */
const DATE_MS = 15 * 60 * 1000
/** RFC 2822, 3.3, as clients write it; `GMT` is the one of its old names of zones that is in use. */
const DATE =
  /^((Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}(:\d{2})? (GMT|[+-]\d{4})$/

/** A request as far as its signature speaks of it. */
export interface SignedRequest {
  method: string
  /** As it was sent, without the query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** HMAC-SHA1 in lower-case hex: how bodies are signed, those that come and those that go (C2). */
export const bodySignature = (secret: string, bytes: Buffer | string): string =>
  createHmac('sha1', secret).update(bytes).digest('hex')

/**
 * What a request has to be signed over: its body; or with `Date` and `Content-MD5` the lines of the newer recipe, which
 * are method, digest, type, date and path (C2). Null where nothing could prove it: the date is another one, the digest is
 * not that of the body, or there are no bytes at all, whose signature would be good for ever and everywhere.
 */
export function signedText(
  { method, path, headers, body }: SignedRequest,
  now: number,
): Buffer | string | null {
  const { date, 'content-md5': digest, 'content-type': type = '' } = headers
  if (date === undefined || digest === undefined) return body.length > 0 ? body : null
  if (!isNow(String(date), now)) return null
  if (digest !== createHash('md5').update(body).digest('hex')) return null
  return `${method}\n${digest}\n${type}\n${date}\n${path}`
}

function isNow(date: string, now: number): boolean {
  const at = DATE.test(date) ? Date.parse(date) : Number.NaN
  return Math.abs(at - now) <= DATE_MS
}

/** Compared in constant time; upper case is another text. */
export const isSignedWith = (secret: string, signature: string, text: Buffer | string): boolean =>
  sameText(signature, bodySignature(secret, text))
