import type { RequestOptions } from 'node:http'
import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as openTls } from 'node:tls'
import { Agent } from '../node-http.ts'
import type { Target } from './egress-policy.ts'

/** An idle connection is closed before usual servers close it (5 s), so that a request seldom meets its end. */
const IDLE_MS = 2_000
/** Idle connections of one endpoint, and the endpoints that have some. */
const IDLE = { each: 4, endpoints: 64 }

/** A request over a connection of the pool. */
export interface PooledRequest extends RequestOptions {
  target: Target
  /** The allowed addresses of the target. */
  addresses: string[]
  /** Milliseconds to connect. */
  connect_ms: number
}

/** The connections to other servers. An idle one serves the next request to the same endpoint. */
export class ConnectionPool extends Agent {
  constructor() {
    super({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: IDLE.each })
  }

  /** Closes the idle connections of an endpoint that lead to other addresses. */
  retain(endpoint: string, addresses: readonly string[]): void {
    for (const socket of [...(this.freeSockets[endpoint] ?? [])])
      if (!addresses.includes(socket.remoteAddress ?? '')) socket.destroy()
  }

  override getName(options?: RequestOptions): string {
    return (options as PooledRequest).target.endpoint
  }

  override createConnection(options: RequestOptions): Socket {
    return openSocket(options as PooledRequest)
  }

  /** Whether the connection stays open. The types of Node have no result, but it is read. */
  override keepSocketAlive(socket: Duplex): boolean {
    if (Object.keys(this.freeSockets).length >= IDLE.endpoints) return false
    return super.keepSocketAlive(socket) as unknown as boolean
  }
}

/** Opens a connection to one of the addresses: each is tried for its share of the time, in order. */
function openSocket({ target: { hostname, port, secure }, addresses, connect_ms }: PooledRequest): Socket {
  const lookup: LookupFunction = (_hostname, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  const options = {
    ...{ host: hostname, port, lookup, autoSelectFamily: true },
    autoSelectFamilyAttemptTimeout: Math.ceil(connect_ms / addresses.length),
  }
  if (!secure) return openTcp(options)
  // An address is not sent as a server name (RFC 6066), but the certificate must contain it.
  return openTls({ ...options, servername: isIP(hostname) ? '' : hostname, ALPNProtocols: ['http/1.1'] })
}
