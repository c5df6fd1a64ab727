/** Why there is no answer to an outgoing request. A later attempt does not help with the first two. */
export const outboundReasons = [
  'bad_url',
  'forbidden_address',
  'dns',
  'connect',
  'timeout',
  'tls',
  'reset',
  'protocol',
] as const
export type OutboundReason = (typeof outboundReasons)[number]
