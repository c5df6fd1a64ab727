import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { OutboundError } from './outbound-error.ts'
import type { Target } from './targets.ts'

export interface Question {
  method: string
  headers: Record<string, string>
  body: string | undefined
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}

/** Bytes of an answer that are read; then the connection is destroyed. */
const ANSWER_LIMIT = 64 * 1024
const HEADER_LIMIT = 16 * 1024
/** Interim answers (100, 102, 103) before the real one. */
const INTERIM_LIMIT = 8
/** Headers that say how a message travels: they are ours to write, whatever a caller asks for. */
const OURS = /^(host|connection|content-length|transfer-encoding|user-agent|accept-encoding)$/i

/**
 * Sends one request over a connection that is used for nothing else, and reads the answer. Redirects are answers,
 * nothing is decompressed. `head_ms` limits the wait for the answer's head. The caller destroys the socket.
 */
export async function exchange(
  socket: Socket,
  target: Target,
  question: Question,
  head_ms: number,
): Promise<Reply> {
  const request = httpRequest({
    // No agent: this very socket, which goes to the address that was judged, and no other.
    createConnection: () => socket,
    method: question.method,
    path: target.url.pathname + target.url.search,
    headers: headersOf(target, question),
    setHost: false,
    maxHeaderSize: HEADER_LIMIT,
    insecureHTTPParser: false,
  })
  const answered = answerHead(request, head_ms)
  request.end(question.method === 'POST' ? question.body : undefined)
  const response = await answered
  return {
    status: response.statusCode ?? 0,
    headers: flatHeaders(response),
    body: question.method === 'HEAD' ? '' : await readBody(response),
  }
}

function headersOf(target: Target, { method, headers, body }: Question): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => !OURS.test(name))
  return {
    host: target.url.host,
    'user-agent': 'Patchbay',
    'accept-encoding': 'identity',
    ...(method === 'POST' ? { 'content-length': String(Buffer.byteLength(body ?? '')) } : {}),
    ...Object.fromEntries(given),
  }
}

/** The head of the final answer. Everything else that can come of a request is an error. */
async function answerHead(request: ClientRequest, head_ms: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const timer = setTimeout(() => reject(new OutboundError('timeout', 'No answer in time.')), head_ms)
  let interim = 0
  request.on('response', resolve)
  request.on('error', reject)
  request.on('information', () => {
    if (++interim > INTERIM_LIMIT) reject(new OutboundError('protocol', 'Too many interim answers.'))
  })
  request.on('upgrade', (_, socket) => {
    socket.destroy()
    reject(new OutboundError('protocol', 'The receiver switched protocols.'))
  })
  const closed = () => reject(new OutboundError('reset', 'The connection was closed without an answer.'))
  request.on('close', closed)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    request.off('close', closed)
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop destroys the response, and its connection with it.
    if (size >= ANSWER_LIMIT) break
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_LIMIT).toString('utf8')
}

function flatHeaders({ headers }: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(headers).filter(
    (pair): pair is [string, string | string[]] => pair[1] !== undefined,
  )
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}
