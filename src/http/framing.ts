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
import type { Config } from '../config.ts'

/** Limits of a connection, before there is a request to speak of. Times are milliseconds, sizes bytes. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
} satisfies ServerOptions

const MAX_HEADERS = 100
const MAX_URL = 8_192
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * The listening server. It refuses, before any routing, what could mean two things to two programs:
 * Node itself accepts a second Host header, absolute-form targets, TRACE and unknown transfer codings (RFC 9112, 3.2 and 6.1).
 */
export function createListener(handler: RequestListener, tls: Config['tls']): Server {
  const framed: RequestListener = (request, response) => {
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
export function framingFault({ method, url, rawHeaders }: IncomingMessage): number {
  if (!METHODS.has(method as string)) return 405
  if (!url?.startsWith('/')) return 400
  if (url.length > MAX_URL) return 414
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if ((rawHeaders[i + 1] as string).toLowerCase() !== 'chunked') return 501
    }
  }
  return hosts === 1 ? 0 : 400
}

const titles: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  414: 'URI Too Long',
  501: 'Not Implemented',
}

function refuse(response: ServerResponse, status: number): void {
  const title = titles[status]
  const body = JSON.stringify({ title, type: 'about:blank', status, detail: title })
  response.writeHead(status, { 'content-type': 'application/problem+json', connection: 'close' }).end(body)
}
