import type { OutboundReason } from './egress-policy.ts'

/**
 * The result of one attempt. `retry_after` is the delay that the receiver asked for, in seconds. `fault` is an error in
 * this program: the receiver may have answered, but the result could not be stored.
 */
export type Outcome =
  | { status: number; retry_after: number | null; error: null }
  | { status: null; retry_after: null; error: OutboundReason | 'fault' }

/** Why a delivery has failed for good. */
export type Why = 'bad_url' | 'forbidden_address' | 'gone' | 'refused' | 'exhausted'

/** The next state of a delivery. A `ready` one is attempted again after `delay` seconds. */
export type Verdict =
  | { state: 'delivered' }
  | { state: 'failed'; why: Why }
  | { state: 'ready'; delay: number }

/** Counts up to and including the attempt that is judged. */
export interface Progress {
  tries: number
  /** Consecutive rejections (see isRejection). */
  refusals: number
  /** Attempts in total; at most one more than there are steps. */
  limit: number
  /** `patient` by default. */
  plan?: Plan
}

/** `patient`: eleven attempts in about 24 hours. `platform`: as the platform repeats webhooks. `hook`: as those of stages. */
export type Plan = 'patient' | 'platform' | 'hook'

/** Seconds between two attempts of the patient plan (C8). */
const STEPS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000] as const
export const MAX_ATTEMPTS = STEPS.length + 1
/** Probes of a circuit follow the same steps up to ten minutes, so a receiver that recovers is noticed soon. */
const PROBE_STEPS = STEPS.slice(0, 4)
const MAX_REJECTIONS = 3

const isServerError = (status: number | null): boolean => status !== null && (status === 499 || status >= 500)
/** The platform's plan: the delay after an attempt, if that ended so (docs/wire/webhooks.md#delivery). */
const PLATFORM_STEPS: readonly { delay: number; after(status: number | null): boolean }[] = [
  { delay: 300, after: () => true },
  { delay: 900, after: () => true },
  { delay: 900, after: isServerError },
  { delay: 3600, after: isServerError },
]
/** Hooks of stages: four more attempts within an hour (docs/wire/automation.md#call). */
const HOOK_STEPS: readonly number[] = [300, 600, 900, 1500]
const BUSY_SECONDS = 60
const JITTER = 0.2

const longestDelay = (step: number) => 2 * Math.max(step, BUSY_SECONDS)

/** The longest possible delay of a delivery, by its number of attempts. Receivers can ask for twice the step. */
export const LONGEST_DELAYS: readonly number[] = [
  0,
  ...STEPS.map((step, i) => Math.max(longestDelay(step), PLATFORM_STEPS[i]?.delay ?? 0, HOOK_STEPS[i] ?? 0)),
]
/** The longest possible delay of a probe, by the probes that failed since the circuit opened. The last one repeats. */
export const LONGEST_PROBE_DELAYS: readonly number[] = PROBE_STEPS.map(longestDelay)

/** Decides what follows from an attempt. `random` is from 0 up to 1; it spreads deliveries that failed together. */
export function verdict(outcome: Outcome, progress: Progress, random: number): Verdict {
  const { status, error } = outcome
  if (isAccepted(outcome)) return { state: 'delivered' }
  if (error === 'bad_url' || error === 'forbidden_address') return { state: 'failed', why: error }
  if (progress.plan === 'platform') return platformVerdict(status, progress.tries)
  if (progress.plan === 'hook') return hookVerdict(status, progress.tries)
  if (status === 410) return { state: 'failed', why: 'gone' }
  if (isRejection(status) && progress.refusals >= MAX_REJECTIONS) return { state: 'failed', why: 'refused' }
  const step = STEPS[progress.tries - 1]
  if (step === undefined || progress.tries >= progress.limit) return { state: 'failed', why: 'exhausted' }
  // Three rejections take a minute at most, also when they begin late in the schedule.
  if (isRejection(status))
    return { state: 'ready', delay: spread(STEPS[progress.refusals - 1] ?? step, random) }
  return { state: 'ready', delay: delayAfter(outcome, step, random) }
}

function platformVerdict(status: number | null, tries: number): Verdict {
  const step = PLATFORM_STEPS[tries - 1]
  if (step?.after(status)) return { state: 'ready', delay: step.delay }
  return { state: 'failed', why: isRejection(status) ? 'refused' : 'exhausted' }
}

function hookVerdict(status: number | null, tries: number): Verdict {
  const delay = HOOK_STEPS[tries - 1]
  if (delay !== undefined) return { state: 'ready', delay }
  return { state: 'failed', why: isRejection(status) ? 'refused' : 'exhausted' }
}

/** Seconds until the next probe of a circuit, by the number of probes that failed since it opened. */
export function probeDelay(outcome: Outcome, probes: number, random: number): number {
  return delayAfter(outcome, PROBE_STEPS[Math.min(probes, PROBE_STEPS.length - 1)] as number, random)
}

function delayAfter({ status, error, retry_after }: Outcome, step: number, random: number): number {
  const busy = (error === 'timeout' || status === 429) && step < BUSY_SECONDS
  const planned = busy ? BUSY_SECONDS : step
  // A busy receiver gets at least the whole minute: this delay is spread upwards only.
  const delay = spread(planned, busy ? (1 + random) / 2 : random)
  if (retry_after === null) return delay
  // The receiver can ask for a delay between the planned one and twice that.
  return Math.min(Math.max(retry_after, delay, planned), 2 * planned)
}

/** Whether the receiver accepted the message. */
export const isAccepted = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300

/** Whether the endpoint works: it accepted the message, or rejected this message. */
export const isAnswer = (outcome: Outcome): boolean => isAccepted(outcome) || isRejection(outcome.status)

/** Whether a status is a 4xx that is about the message, so a retry hardly helps. */
export function isRejection(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && ![408, 410, 425, 429].includes(status)
}

/**
 * Reads `Retry-After` of a 408, 425, 429 or 503, given in seconds or as a date. Returns seconds, or null when the header is
 * missing or invalid.
 */
export function readRetryAfter(status: number, header: string | undefined, now: number): number | null {
  if (header === undefined || ![408, 425, 429, 503].includes(status)) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  // Date.parse accepts almost any text as a date. Dates in HTTP begin with the day of the week.
  const date = /^[A-Z][a-z]{2,8},? /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil(date / 1000) - now)
}

const spread = (step: number, random: number) => Math.round(step * (1 - JITTER + 2 * JITTER * random))
