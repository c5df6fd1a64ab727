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
  | 'unsupported'
  | 'too_many'
  | 'unavailable'
  | 'full'

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
  /** Of more than a hundred the first hundred are told. */
  faults?: Fault[]
  /** Seconds after which the same request may succeed; with `too_many`, `unavailable`, and a key in use. */
  retry_after?: number
  /** What the answer tells besides (RFC 9457, 3.2: extension members). */
  members?: Record<string, unknown>
  /** The private cause, for the log and never for the caller. */
  cause?: unknown
}

/** A refusal tells no more faults than these, so that a rule need not look for more. */
export const MOST_FAULTS = 100

const NOT_A_CHOICE = 'The value you selected is not a valid choice.'
const MOST_CHOICES = 20

/** What may be chosen: some values, or the keys of a map. */
export type Choices<Choice = unknown> = readonly Choice[] | ReadonlySet<Choice> | ReadonlyMap<Choice, unknown>

/** The detail for a value that is none of what may be chosen, with up to twenty of the choices. */
export function notAChoice<Choice>(
  choices: Choices<Choice>,
  show: (choice: Choice) => unknown = String,
): string {
  const [all, count] = 'size' in choices ? [choices.keys(), choices.size] : [choices.values(), choices.length]
  if (count === 0) return `${NOT_A_CHOICE} There is nothing to choose from.`
  const listed = [...all.take(MOST_CHOICES)].map(show).join(', ')
  const more = count - MOST_CHOICES
  return `${NOT_A_CHOICE} It should be ${count > 1 ? 'one of: ' : ''}${listed}${more > 0 ? ` and ${more} more` : ''}.`
}

/** The detail for the id of a thing that is not there, where there are too many of its kind to list them. */
export const noSuch = (thing: string): string => `There is no such ${thing}.`

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
    this.faults = (details.faults ?? []).slice(0, MOST_FAULTS)
    this.retry_after = details.retry_after
    this.members = details.members ?? {}
  }
}

/** A refusal of one member of a body: `fault('redirect_uri', 'InvalidFormat', 'This value is not a valid URL.')`. */
export function invalid(path: string, code: FaultCode, detail: string, request_id = '0'): Refusal {
  return new Refusal('invalid', 'Request validation failed', { faults: [{ request_id, code, path, detail }] })
}

/** The refusal of one member that is none of what may be chosen. */
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
