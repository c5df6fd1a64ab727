import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * The failure of a request: another status; a lost connection before or after it was processed; a truncated or stalled
 * answer; silence; the page of another server.
 */
export type Trouble = number | 'reset' | 'lost' | 'cut' | 'stalled' | 'silent' | 'page'

export interface Bucket {
  url: string
  /** The settings of a server that stores its files here. */
  env: Record<'FILES_URL' | 'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>
  objects: Map<string, Buffer>
  /** The method and name of each request, in order. */
  requests: string[]
  /** No failures by default. */
  trouble: (method: string, name: string) => Trouble | null
  /** The maximum number of names in a list; 1000 by default. */
  page: number
  /** Stops listening. */
  close(): void
}

const BUCKET = 'files'
const REGION = 'us-east-1'
const ID = 'AKIDEXAMPLE'
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

/**
 * A bucket of an S3 service on loopback, with the part of the protocol that the server uses, implemented from Amazon's
 * documentation, without the SDK. Verifies signatures, including the hash of the body, and refuses unknown requests.
 */
export async function bucket(): Promise<Bucket> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const call = readCall(request, body)
    here.requests.push(`${call.method} ${call.name}`)
    const trouble = here.trouble(call.method, call.name)
    if (trouble === 'silent') return
    if (trouble === 'reset') return request.socket.destroy()
    if (trouble === 'page') return send(response, { status: 200, body: '<html>Console</html>' }, null)
    const answer =
      typeof trouble === 'number' ? fault(trouble, 'InternalError') : (refusalOf(call) ?? take(here, call))
    if (trouble === 'lost') return request.socket.destroy()
    send(response, answer, trouble)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const here: Bucket = {
    url,
    env: {
      FILES_URL: `s3://${BUCKET}/patch/bay`,
      S3_ENDPOINT: url,
      S3_ACCESS_KEY_ID: ID,
      S3_SECRET_ACCESS_KEY: SECRET,
    },
    objects: new Map(),
    requests: [],
    trouble: () => null,
    page: 1_000,
    close,
  }
  return here
}

interface Call {
  method: string
  /** The path as it came, still encoded, because that is what was signed. */
  path: string
  bucket: string
  name: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}

interface S3Answer {
  status: number
  etag?: string
  body?: Buffer | string
}

function readCall({ method = '', url = '/', headers }: IncomingMessage, body: Buffer): Call {
  const { pathname: path, searchParams: query } = new URL(url, 'http://s3')
  const [bucket = '', ...name] = path.slice(1).split('/')
  return { method, path, bucket, name: decodeURIComponent(name.join('/')), query, headers, body }
}

function send(
  response: ServerResponse,
  { status, etag, body = '' }: S3Answer,
  trouble: Trouble | null,
): void {
  const bytes = Buffer.from(body)
  const headers = { 'content-length': bytes.length, 'content-type': 'application/xml' }
  response.writeHead(status, { ...headers, ...(etag && { etag }) })
  if (trouble !== 'cut' && trouble !== 'stalled') return void response.end(bytes)
  response.write(bytes.subarray(0, bytes.length / 2), () => trouble === 'cut' && response.socket?.destroy())
}

const fault = (status: number, code: string): S3Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>It is ${code}.</Message></Error>`,
})

/** Why a request is refused, or null. */
function refusalOf(call: Call): S3Answer | null {
  const [, credential = '', signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=(\w+)$/.exec(
      call.headers.authorization ?? '',
    ) ?? []
  const [id, day = '', region = '', service, end] = credential.split('/')
  const { 'x-amz-date': time, 'x-amz-content-sha256': hash } = call.headers as Record<string, string>
  if (!signature || service !== 's3' || end !== 'aws4_request') return fault(403, 'AccessDenied')
  if (id !== ID) return fault(403, 'InvalidAccessKeyId')
  if (region !== REGION) return fault(400, 'AuthorizationHeaderMalformed')
  if (!time?.startsWith(day) || !isNow(time)) return fault(403, 'RequestTimeTooSkewed')
  if (!/(^|;)host;.*x-amz-content-sha256;x-amz-date/.test(signed)) return fault(403, 'AccessDenied')
  if (signatureOf(call, { day, time, signed, hash: hash ?? '' }) !== signature)
    return fault(403, 'SignatureDoesNotMatch')
  if (hash !== sha256(call.body)) return fault(400, 'XAmzContentSHA256Mismatch')
  return call.bucket === BUCKET ? null : fault(404, 'NoSuchBucket')
}

/** Signature Version 4, as documented by Amazon. */
function signatureOf(
  { method, path, query, headers }: Call,
  { day, time, signed, hash }: Record<'day' | 'time' | 'signed' | 'hash', string>,
): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const parameters = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, path, parameters.join('&'), lines.join(''), signed, hash].join('\n')
  const scope = `${day}/${REGION}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<Buffer | string>((secret, part) => hmac(secret, part).digest(), `AWS4${SECRET}`)
  return hmac(key, text).digest('hex')
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text)

/** Whether a time such as 20260301T120000Z is less than a quarter of an hour away. */
function isNow(time: string): boolean {
  const [year, month, day, hour, minute, second] = (time.match(/^\d{4}|\d\d/g) ?? []).map(Number) as number[]
  const at = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second)
  return Math.abs(Date.now() - at) < 900_000
}

function take(here: Bucket, call: Call): S3Answer {
  const { method, name, query, body } = call
  const known = here.objects.get(name)
  if (method === 'GET' && name === '') return list(here, query)
  if (name === '' || query.size > (query.has('x-id') ? 1 : 0)) return fault(501, 'NotImplemented')
  if (method === 'GET') return known ? { status: 200, body: known } : fault(404, 'NoSuchKey')
  if (method === 'DELETE') {
    here.objects.delete(name)
    return { status: 204 }
  }
  if (method !== 'PUT' || call.headers['content-encoding']) return fault(501, 'NotImplemented')
  if (call.headers['content-length'] === undefined) return fault(411, 'MissingContentLength')
  here.objects.set(name, body)
  return { status: 200, etag: `"${createHash('md5').update(body).digest('hex')}"` }
}

/** ListObjectsV2: names in byte order, after the last one of the previous page. */
function list({ objects, page }: Bucket, query: URLSearchParams): S3Answer {
  const {
    prefix = '',
    'list-type': type,
    'continuation-token': token = '',
    delimiter,
  } = Object.fromEntries(query)
  if (type !== '2' || delimiter) return fault(501, 'NotImplemented')
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > token).sort()
  const shown = names.slice(0, Math.min(page, Number(query.get('max-keys') ?? 1_000)))
  const rest = names.length > shown.length
  const contents = shown.map(
    (name) =>
      `<Contents><Key>${escaped(name)}</Key><LastModified>2026-03-01T12:00:00.000Z</LastModified><Size>${objects.get(name)?.length}</Size></Contents>`,
  )
  const next = rest ? `<NextContinuationToken>${escaped(shown.at(-1) as string)}</NextContinuationToken>` : ''
  return {
    status: 200,
    body: `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>${BUCKET}</Name><IsTruncated>${rest}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
