/** A refusal of the server (RFC 9457). `code` is the fragment of its `type`. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly retryAfter: number | undefined
  readonly faults: FieldFault[]

  constructor(status: number, body: ProblemBody) {
    super(body.detail ?? body.title ?? String(status))
    this.name = 'Problem'
    this.status = status
    this.code = body.type?.split('#')[1] ?? ''
    this.detail = body.detail ?? ''
    this.retryAfter = body.retry_after
    this.faults = (body['validation-errors'] ?? []).flatMap(({ errors }) => errors)
  }
}

export interface FieldFault {
  code: string
  path: string
  detail: string
}

export interface ProblemBody {
  title?: string
  type?: string
  detail?: string
  retry_after?: number
  'validation-errors'?: { request_id: string; errors: FieldFault[] }[]
}

/** There was no response: no network, or no server. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('unreachable', { cause })
    this.name = 'Unreachable'
  }
}

/** Whether the server still does the same write for an earlier request. */
export const isInProgress = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'idempotency_key_in_use'

/** Whether the server may have done a write: there was no response, or one of a proxy or of an error. */
export const mayBeDone = (error: unknown): boolean =>
  error instanceof Problem ? error.status >= 500 || isInProgress(error) : error instanceof Unreachable

/** Whether there was no response, or a module of the program could not be loaded. */
export const isUnreachable = (error: unknown): boolean => error instanceof Unreachable || isPartMissing(error)

/** Whether a module could not be loaded, because of the network or a newer version. */
export const isPartMissing = (error: unknown): boolean =>
  error instanceof Unreachable
    ? isPartMissing(error.cause)
    : error instanceof Error &&
      /module script|dynamically imported module|Unable to preload/i.test(error.message)

/** Whether a module is missing although the server responds: it has a newer version than this page. */
export const isOutdated = (error: unknown): boolean => !(error instanceof Unreachable) && isPartMissing(error)

/** The person closed the password dialog, or cancelled an upload. Nothing was done. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}
