/** A refusal of the server (RFC 9457). `code` is what stands after the # of its type. */
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

/** There was no answer at all: no network, or no server behind it. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('unreachable', { cause })
    this.name = 'Unreachable'
  }
}

/** Whether there was no answer. A part of the program that could not be read is an error of the browser's own. */
export const isUnreachable = (error: unknown): boolean => error instanceof Unreachable || isPartMissing(error)

/** Whether a part of the program could not be read: the network broke, or a new version has other parts. */
export const isPartMissing = (error: unknown): boolean =>
  error instanceof Error && /module script|dynamically imported module|Unable to preload/i.test(error.message)

/** The person closed the window that asked for the password; nothing was done. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}
