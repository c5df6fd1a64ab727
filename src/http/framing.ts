import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { Socket } from 'node:net'
import { type Config, ConfigError } from '../config.ts'
import { createServer as createHttp } from '../node-http.ts'
import { limitConnections } from './limits/connections.ts'
import type { Proxies } from './proxies.ts'

/** How long a request may take to arrive, in milliseconds. */
export const REQUEST_MS = 30_000

/** Limits of a connection before a request is parsed. Times are in milliseconds, sizes in bytes. */
const requestLimits = {
  headersTimeout: 10_000,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // A missing Host is refused below, like every other refusal.
  requireHostHeader: false,
} satisfies ServerOptions

/** Connections in total and per address. One address gets a quarter. Each process has its share. */
export const CONNECTIONS = { all: 10_000, each: 2_500 }
/** Excess connections that are answered at the same time. Further ones are closed on arrival. */
const BEING_REFUSED = 1_000
/** How long an excess connection may take to read its answer, in milliseconds. */
const REFUSED_MS = 1_000

const MAX_HEADERS = 100
const MAX_URL = 8_192
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Connections without further answers. After a refused request, the start of the next one is uncertain. */
const refused = new WeakSet<Socket>()

/** The requests of a connection: those that are not answered yet, and the last one. */
interface Received {
  unanswered: Set<ServerResponse>
  last: ServerResponse
}

const received = new WeakMap<Socket, Received>()

export interface ListenerParts {
  tls: Config['tls']
  proxies: Proxies
  /** Called for each new connection. */
  accepted: () => void
  /** Called for each excess connection. */
  refusedConnection: () => void
  limits?: typeof CONNECTIONS
}

/**
 * Creates the server. Before routing, it refuses requests that two programs could read in two ways. Node itself accepts
 * a second Host header, absolute-form targets, TRACE and unknown transfer codings (RFC 9112, 3.2 and 6.1).
 */
export function createListener(
  handler: RequestListener,
  { tls, proxies, accepted, refusedConnection, limits = CONNECTIONS }: ListenerParts,
): Server {
  const framed: RequestListener = (request, response) => {
    if (refused.has(request.socket)) return
    const status = framingFault(request)
    if (status) refuse(response, status)
    else {
      receive(request.socket, response)
      handler(request, response)
    }
  }
  const server: Server = tls ? createSecure(tls, framed) : createHttp(requestLimits, framed)
  server.maxHeadersCount = MAX_HEADERS
  server.maxRequestsPerSocket = 10_000
  server.maxConnections = limits.all + BEING_REFUSED
  server.setTimeout(120_000)
  server.on('connection', accepted)
  limitConnections(server, {
    ...limits,
    isExempt: proxies.isTrusted,
    refuse: (socket) => {
      refusedConnection()
      refuseConnection(socket, tls !== null)
    },
  })
  return server
}

/** Throws ConfigError if the files are not a certificate and its key. */
function createSecure(tls: { cert: string; key: string }, listener: RequestListener): Server {
  const [cert, key] = [readFileSync(tls.cert), readFileSync(tls.key)]
  try {
    return createHttps({ ...requestLimits, cert, key }, listener)
  } catch (cause) {
    const { message } = cause as Error
    throw new ConfigError(
      `TLS_CERT and TLS_KEY are not a certificate chain and its key in PEM, without a passphrase: ${message}`,
      { cause },
    )
  }
}

/** The status of the refusal, or 0 if the request has exactly one reading. */
function framingFault({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  if (!METHODS.has(method as string)) return 405
  if (!url?.startsWith('/') || url.includes('#')) return 400
  if (url.length > MAX_URL) return 414
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (httpVersion === '1.0') return 400
      if ((rawHeaders[i + 1] as string).toLowerCase() !== 'chunked') return 501
    }
  }
  return hosts === 1 ? 0 : 400
}

const titles: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}

const problem = (status: number): string =>
  JSON.stringify({ title: titles[status], type: 'about:blank', status, detail: titles[status] })

const headersOf = (body: string) => ({
  'content-type': 'application/problem+json',
  'content-length': body.length,
  connection: 'close',
})

function refuse(response: ServerResponse, status: number): void {
  refused.add(response.req.socket)
  const body = problem(status)
  response.writeHead(status, headersOf(body)).end(body)
}

function receive(socket: Socket, response: ServerResponse): void {
  const of = received.get(socket)
  const unanswered = of?.unanswered ?? new Set()
  received.set(socket, { unanswered: unanswered.add(response), last: response })
  response.once('close', () => unanswered.delete(response))
}

/**
 * Closes a connection whose bytes Node could not parse, or did not receive in time. There is no response object for
 * them. Complete requests before them are answered first.
 */
export function refuseUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  // The connection closes as soon as its last answer is sent.
  if (code === 'HPE_CLOSED_CONNECTION' || refused.has(socket)) return
  const { unanswered, last } = received.get(socket) ?? {}
  const complete = [...(unanswered ?? [])].findLast(({ req }) => req.complete)
  if (complete && !socket.destroyed) {
    closeAfter(complete, socket)
    return
  }
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  if (socket.writable && !(last && isAnswerOfRest(last))) socket.write(answerOf(status))
  socket.destroy()
}

/**
 * Closes the connection after an answer. Some clients send the body of DELETE without its length, and an immediate
 * refusal would replace the answer.
 */
function closeAfter(response: ServerResponse, socket: Socket): void {
  refused.add(socket)
  if (!response.headersSent) response.setHeader('connection', 'close')
  response.once('close', () => socket.destroySoon())
}

/**
 * Whether unreadable bytes after a request belong to it, and it has its answer. A client would read a refusal as the
 * answer to its next request.
 */
function isAnswerOfRest({ req, headersSent }: ServerResponse): boolean {
  if (!req.complete) return headersSent
  const { 'content-length': length, 'transfer-encoding': coding } = req.headers
  return !['GET', 'HEAD'].includes(req.method as string) && length === undefined && coding === undefined
}

/**
 * Answers an excess connection before its request. A connection that starts with a TLS handshake cannot be answered.
 */
function refuseConnection(socket: Socket, isTls: boolean): void {
  if (isTls) return void socket.destroy()
  refused.add(socket)
  // Input is discarded until the client closes, because a reset could discard the answer.
  const timer = setTimeout(() => socket.destroy(), REFUSED_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(answerOf(503, { 'retry-after': '5' }))
}

/** A complete answer, in bytes. */
function answerOf(status: number, more: Record<string, string> = {}): string {
  const body = problem(status)
  const headers = Object.entries({ ...headersOf(body), ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `HTTP/1.1 ${status} ${titles[status]}\r\n${headers.join('')}\r\n${body}`
}
