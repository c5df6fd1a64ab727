import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { OutboundError } from './outbound-error.ts'
import type { Target } from './targets.ts'

/** More addresses of a name than these are not tried. */
const TRIED = 4

/**
 * Opens a connection to one of the judged addresses, with TLS when the target wants it. What is dialled is a literal
 * address, so that nothing is resolved a second time (C8). The addresses are tried in order, and share `limit_ms`.
 * Throws OutboundError `connect` or `timeout` when none answers, `tls` when the receiver cannot prove its name.
 */
export async function dial(
  target: Target,
  addresses: string[],
  limit_ms: number,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await firstThatAnswers(addresses.slice(0, TRIED), target.port, limit_ms, signal)
  return target.secure ? secure(socket, target.hostname, signal) : socket
}

async function firstThatAnswers(
  addresses: string[],
  port: number,
  limit_ms: number,
  signal: AbortSignal,
): Promise<Socket> {
  const ends_at = performance.now() + limit_ms
  let failure: unknown
  for (const [i, host] of addresses.entries()) {
    const share = new AbortController()
    const late = () => share.abort(new OutboundError('timeout', `${host} does not answer.`))
    const share_ms = (ends_at - performance.now()) / (addresses.length - i)
    const timer = setTimeout(late, Math.max(1, share_ms))
    try {
      return await ready(connect({ host, port }), 'connect', AbortSignal.any([signal, share.signal]))
    } catch (error) {
      if (signal.aborted) throw error
      failure = error
    } finally {
      clearTimeout(timer)
    }
  }
  throw failure
}

/** Speaks TLS over an open connection, and checks the certificate against the name in the URL. */
function secure(socket: Socket, hostname: string, signal: AbortSignal): Promise<Socket> {
  // An address is not sent as a server name (RFC 6066); the certificate has to name it all the same.
  const name = isIP(hostname) ? { host: hostname } : { servername: hostname }
  const wrapped = connectTls({ socket, ...name, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] })
  return ready(wrapped, 'secureConnect', signal)
}

/** Waits until a socket can be used. One that fails, or is no longer wanted, is destroyed. */
async function ready(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<Socket> {
  const reason = event === 'connect' ? 'connect' : 'tls'
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cancel = () => reject(signal.reason)
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  socket.once(event, resolve)
  // Stays: an error after this is seen by whoever uses the socket, and without a listener it would end the process.
  socket.on('error', (error) => reject(new OutboundError(reason, error.message, error)))
  const closed = () => reject(new OutboundError(reason, 'The connection was closed.'))
  socket.once('close', closed)
  try {
    await promise
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    socket.off('close', closed)
  }
}
