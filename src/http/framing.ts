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

/** Limits of a connection, before there is a request to speak of. Times are milliseconds, sizes bytes. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // A missing Host is refused below, in the words of every other refusal.
  requireHostHeader: false,
} satisfies ServerOptions

const MAX_HEADERS = 100
const MAX_URL = 8_192
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Connections on which a request was refused: where the next one begins is a guess, so none is answered. */
const refused = new WeakSet<Socket>()

/**
 * The listening server. It refuses, before any routing, what could mean two things to two programs:
 * Node itself accepts a second Host header, absolute-form targets, TRACE and unknown transfer codings (RFC 9112, 3.2 and 6.1).
 */
export function createListener(handler: RequestListener, tls: Config['tls']): Server {
  const framed: RequestListener = (request, response) => {
    if (refused.has(request.socket)) return
    const status = framingFault(request)
    if (status) refuse(response, status)
    else handler(request, response)
  }
  const server: Server = tls
    ? createHttps({ ...limits, cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, framed)
    : createHttp(limits, framed)
  server.maxHeadersCount = MAX_HEADERS
  server.maxRequestsPerSocket = 10_000
  server.maxConnections = 10_000
  server.setTimeout(120_000)
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
  const body = problem(status)
  if (socket.writable && !refused.has(socket)) {
    const headers = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} ${titles[status]}\r\n${headers.join('')}\r\n${body}`)
  }
  socket.destroy()
}
