/** Why a rule said no. Surfaces turn a reason into the status and the body of their wire. */
export type Reason =
  | 'invalid'
  | 'not_authorized'
  | 'unpaid'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'changed'
  | 'too_large'
  | 'too_many'
  | 'unavailable'

/** Where in the input a rule was broken: `path` is dotted and relative to the item, `request_id` names the item. */
export interface Fault {
  request_id: string
  code: FaultCode
  path: string
  detail: string
}

/** The names that clients of the platform already know. */
export type FaultCode =
  | 'FieldMissing'
  | 'InvalidType'
  | 'NotNullable'
  | 'NotBlank'
  | 'NotSupportedChoice'
  | 'TooShort'
  | 'TooLong'
  | 'TooFew'
  | 'TooMany'
  | 'OutOfRange'
  | 'InvalidFormat'
  | 'NotUnique'

export interface RefusalDetails {
  /** A narrower name than the reason, where a client acts on it; documented beside the reasons. */
  code?: string
  faults?: Fault[]
  /** Seconds after which the same request may succeed; with `too_many`, `unavailable`, and a key in use. */
  retry_after?: number
  /** What the answer tells besides (RFC 9457, 3.2: extension members). */
  members?: Record<string, unknown>
  /** The private cause, for the log and never for the caller. */
  cause?: unknown
}

/** The one thing a rule throws. `message` is public; what must stay private goes into `cause`. */
export class Refusal extends Error {
  readonly reason: Reason
  readonly code: string
  readonly faults: Fault[]
  readonly retry_after: number | undefined
  readonly members: Record<string, unknown>

  constructor(reason: Reason, message: string, details: RefusalDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'Refusal'
    this.reason = reason
    this.code = details.code ?? reason
    this.faults = details.faults ?? []
    this.retry_after = details.retry_after
    this.members = details.members ?? {}
  }
}

/** A refusal of one member of a body: `fault('redirect_uri', 'InvalidFormat', 'This value is not a valid URL.')`. */
export function invalid(path: string, code: FaultCode, detail: string, request_id = '0'): Refusal {
  return new Refusal('invalid', 'Request validation failed', { faults: [{ request_id, code, path, detail }] })
}
