import { sentenceOf } from './http/problems/fault-types.ts'

/** An error that the operator can fix. The command line prints its message, and no stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Why a rule refused a request. Surfaces map a reason to the status and body of their wire format. */
export type Reason =
  | 'invalid'
  | 'not_authorized'
  | 'unpaid'
  | 'forbidden'
  | 'not_found'
  | 'wrong_method'
  | 'timed_out'
  | 'conflict'
  | 'changed'
  | 'too_large'
  | 'unsupported'
  | 'unprocessable'
  | 'too_many'
  | 'unavailable'
  | 'full'

/** A rule that the input broke: `path` is dotted and relative to the item, `request_id` names the item. */
export interface Fault {
  request_id: string
  code: FaultCode
  path: string
  detail: string
}

/** Codes that clients of the platform know (docs/wire/problems.md#problem-bodies). */
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
  /** A more specific code than the reason, on which clients can act; documented beside the reasons. */
  code?: string
  /** At most the first hundred are reported. */
  faults?: Fault[]
  /**
   * Seconds after which the same request may succeed; with `too_many`, `unavailable`, and an idempotency key in
   * use.
   */
  retry_after?: number
  /** Extension members of the response (RFC 9457, 3.2). */
  members?: Record<string, unknown>
  /** The private cause: logged, and never sent to the caller. */
  cause?: unknown
}

/** The most faults in a refusal; rules can stop looking after that many. */
export const MAX_FAULTS = 100

const MAX_CHOICES = 20

/** The valid choices: values, or the keys of a map. */
export type Choices<Choice = unknown> = readonly Choice[] | ReadonlySet<Choice> | ReadonlyMap<Choice, unknown>

/** The detail for an invalid choice, with up to twenty of the valid ones. */
export function notAChoice<Choice>(
  choices: Choices<Choice>,
  show: (choice: Choice) => unknown = String,
): string {
  const [all, count] = 'size' in choices ? [choices.keys(), choices.size] : [choices.values(), choices.length]
  if (count === 0) return sentenceOf('no_choices')
  const listed = [...all.take(MAX_CHOICES)].map(show).join(', ')
  if (count === 1) return sentenceOf('choice', { choice: listed })
  const more = count - MAX_CHOICES
  return more > 0
    ? sentenceOf('more_choices', { choices: listed, more })
    : sentenceOf('choices', { choices: listed })
}

/** The detail for an unknown id, where listing the valid ones would be too long. */
export const noSuch = (name: string): string => `There is no such ${name}.`

/** The error that rules throw. `message` is public; private information goes into `cause`. */
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
    this.faults = (details.faults ?? []).slice(0, MAX_FAULTS)
    this.retry_after = details.retry_after
    this.members = details.members ?? {}
  }
}

/**
 * A refusal of one member of a body, for example `invalid('redirect_uri', 'InvalidFormat', 'This value is not a
 * valid URL.')`.
 */
export function invalid(path: string, code: FaultCode, detail: string, request_id = '0'): Refusal {
  return new Refusal('invalid', 'Request validation failed', { faults: [{ request_id, code, path, detail }] })
}

/** A refusal of one member that is not a valid choice. */
export const invalidChoice = (path: string, choices: Choices, request_id?: string): Refusal =>
  invalid(path, 'NotSupportedChoice', notAChoice(choices), request_id)

/** Adds a fault of one item of a batch. */
export type AddFault = (code: FaultCode, path: string, detail: string) => void

/** Collects the faults of a batch under the `request_id` of each item; `refuse` throws them if there are any. */
export function collectFaults() {
  const faults: Fault[] = []
  return {
    faults,
    about:
      (request_id: string): AddFault =>
      (code, path, detail) => {
        faults.push({ request_id, code, path, detail })
      },
    refuse: () => {
      if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
    },
  }
}
