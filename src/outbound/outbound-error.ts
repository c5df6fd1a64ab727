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
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_.*)$/, 'reset'],
  [/^(ERR_SSL_.*|ERR_TLS_.*|EPROTO)$/, 'tls'],
  [/^E[A-Z0-9]+$/, 'connect'],
  [/^(HPE_|ERR_HTTP_|ERR_INVALID_CHAR|ERR_INVALID_HTTP_TOKEN)/, 'protocol'],
]

/** Names what the network threw. What is no error of the network is a fault of ours, and is answered as it is. */
export function asOutboundError(error: unknown): unknown {
  if (error instanceof OutboundError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1]
  return reason ? new OutboundError(reason, message, error) : error
}
