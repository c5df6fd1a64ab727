import { readFileSync } from 'node:fs'
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { limitConnections } from './connections.ts'
import type { Proxies } from './proxies.ts'

/** Limits of a connection, before there is a request to speak of. Times are milliseconds, sizes bytes. */
const requestLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // A missing Host is refused below, in the words of every other refusal.
  requireHostHeader: false,
} satisfies ServerOptions

/** Connections in all, and of one address: a quarter of them. */
const CONNECTIONS = { all: 10_000, each: 2_500 }
/** Connections beyond these that there is room for while they are told so; more are closed as they come. */
const BEING_REFUSED = 1_000
/** How long one that is told so may take to read it, in milliseconds. */
const REFUSED_MS = 1_000

const MAX_HEADERS = 100
const MAX_URL = 8_192
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Connections that are answered no more. Where a request was refused, where the next one begins is a guess. */
const refused = new WeakSet<Socket>()

export interface ListenerParts {
  tls: Config['tls']
  proxies: Proxies
  /** Told of each new connection. */
  accepted: () => void
  /** Told of each connection that was one too many. */
  refusedConnection: () => void
  limits?: typeof CONNECTIONS
}

/**
 * The listening server. It refuses, before any routing, what could mean two things to two programs:
 * Node itself accepts a second Host header, absolute-form targets, TRACE and unknown transfer codings (RFC 9112, 3.2 and 6.1).
 */
export function createListener(
  handler: RequestListener,
  { tls, proxies, accepted, refusedConnection, limits = CONNECTIONS }: ListenerParts,
): Server {
  const framed: RequestListener = (request, response) => {
    if (refused.has(request.socket)) return
    const status = framingFault(request)
    if (status) refuse(response, status)
    else handler(request, response)
  }
  const server: Server = tls
    ? createHttps({ ...requestLimits, cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, framed)
    : createHttp(requestLimits, framed)
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

/** The status of the refusal, or 0 when the request is framed in the one way that everybody reads alike. */
export function framingFault({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
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

/** Answers what Node could not read as a request, or what did not come in time: there is no response to write to yet. */
export function refuseUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  if (socket.writable && !refused.has(socket)) socket.write(answerOf(status))
  socket.destroy()
}

/** Answers a connection that is one too many, whatever it is going to ask. Before the handshake of TLS there is nothing to say. */
function refuseConnection(socket: Socket, isTls: boolean): void {
  if (isTls) return void socket.destroy()
  refused.add(socket)
  // What the client has sent is read until it closes, because a reset could take the answer from it.
  const timer = setTimeout(() => socket.destroy(), REFUSED_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(answerOf(503, { 'retry-after': '5' }))
}

/** A whole answer, in bytes. */
function answerOf(status: number, more: Record<string, string> = {}): string {
  const body = problem(status)
  const headers = Object.entries({ ...headersOf(body), ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `HTTP/1.1 ${status} ${titles[status]}\r\n${headers.join('')}\r\n${body}`
}
