/** Why there is no answer. What a caller may do about it: the first two never get better by trying again. */
export type OutboundReason =
  | 'bad_url'
  | 'forbidden_address'
  | 'dns'
  | 'connect'
  | 'timeout'
  | 'tls'
  | 'reset'
  | 'protocol'

/** A request that got no answer. `duration_ms` is what it took, not counting the wait for its turn. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly reason: OutboundReason
  duration_ms = 0

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

const REASONS: readonly [RegExp, OutboundReason][] = [
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|ETIMEDOUT|EINVAL)$/, 'connect'],
  [/^(ERR_SSL|ERR_TLS|EPROTO)/, 'tls'],
]

/** Names what the network threw. What the operating system and TLS do not claim, HTTP is to blame for. */
export function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'protocol'
  return new OutboundError(reason, message, error)
}
