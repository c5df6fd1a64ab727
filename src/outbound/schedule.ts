import type { OutboundReason } from './outbound-error.ts'

/**
 * What came of one try. `retry_after` is what the receiver asked for, in seconds; `fault` is ours: the receiver may
 * have answered, but what its answer means could not be stored.
 */
export type Outcome =
  | { status: number; retry_after: number | null; error: null }
  | { status: null; retry_after: null; error: OutboundReason | 'fault' }

/** Why a delivery has failed for good. */
export type Why = 'bad_url' | 'forbidden_address' | 'gone' | 'refused' | 'exhausted'

export type Verdict =
  | { state: 'delivered' }
  | { state: 'failed'; why: Why }
  /** To be tried again in `delay` seconds. */
  | { state: 'pending'; delay: number }

/** Where in its life a delivery is when it is judged. Both counts include the try that was just made. */
export interface Progress {
  tries: number
  /** Refusals (see isRefusal) in a row. */
  refusals: number
  /** Tries it has in all; at most one more than there are steps. */
  limit: number
}

/** Seconds between one try and the next: eleven tries in about 24 hours (C7). */
const STEPS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000] as const
export const ALL_TRIES = STEPS.length + 1
/**
 * Probes of a circuit follow the same steps as far as ten minutes. What waits longer for its own next try is no probe
 * before its time, so that a message has its day all the same, and a receiver that is back is noticed soon.
 */
const PROBE_STEPS = STEPS.slice(0, 4)
const REFUSALS = 3
const BUSY_SECONDS = 60
const JITTER = 0.2

/** Seconds that a delivery waits at most when so many tries were made: a receiver may ask for twice the step. */
export const LONGEST_WAITS: readonly number[] = [0, ...STEPS.map(longestAfter)]
/** The same of a circuit, by the probes that have failed since it opened; and of one that has had more. */
export const LONGEST_PROBE_WAITS: readonly number[] = PROBE_STEPS.map(longestAfter)

/** What follows from a try. `random` is from 0 up to 1, and spreads what failed together. */
export function verdict(outcome: Outcome, progress: Progress, random: number): Verdict {
  const { status, error } = outcome
  if (isArrival(outcome)) return { state: 'delivered' }
  if (error === 'bad_url' || error === 'forbidden_address') return { state: 'failed', why: error }
  if (status === 410) return { state: 'failed', why: 'gone' }
  if (isRefusal(status) && progress.refusals >= REFUSALS) return { state: 'failed', why: 'refused' }
  const step = STEPS[progress.tries - 1]
  if (step === undefined || progress.tries >= progress.limit) return { state: 'failed', why: 'exhausted' }
  // Three refusals take a minute at most, wherever in the schedule they begin.
  if (isRefusal(status))
    return { state: 'pending', delay: spread(STEPS[progress.refusals - 1] ?? step, random) }
  return { state: 'pending', delay: delayAfter(outcome, step, random) }
}

/** Seconds until the next probe of a circuit, by the probes that have failed since it opened. */
export function probeDelay(outcome: Outcome, probes: number, random: number): number {
  return delayAfter(outcome, PROBE_STEPS[Math.min(probes, PROBE_STEPS.length - 1)] as number, random)
}

function delayAfter({ status, error, retry_after }: Outcome, step: number, random: number): number {
  const busy = (error === 'timeout' || status === 429) && step < BUSY_SECONDS
  const planned = busy ? BUSY_SECONDS : step
  // Whoever is busy is left alone for a whole minute: that one is spread upwards only.
  const spreadOut = busy ? spread(planned, (1 + random) / 2) : spread(planned, random)
  return politely(planned, retry_after, spreadOut)
}

/** Whether a receiver took the message. */
export const isArrival = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300

/** Whether a receiver does its work: it took the message, or says that the message is what it does not take. */
export const isAnswer = (outcome: Outcome): boolean => isArrival(outcome) || isRefusal(outcome.status)

/** A 4xx that will hardly become better: the message itself is what the receiver does not take. */
export function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500 && ![408, 410, 425, 429].includes(status)
}

/**
 * Seconds that a receiver asks to be left alone: `Retry-After` of a 408, 425, 429 or 503, in seconds or as a date.
 * null when it does not ask, or when what it says is neither.
 */
export function readRetryAfter(status: number, header: string | undefined, now: number): number | null {
  if (header === undefined || ![408, 425, 429, 503].includes(status)) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  // Date.parse takes nearly anything for a date; one of HTTP begins with the day of the week.
  const date = /^[A-Z][a-z]{2,8},? /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil(date / 1000) - now)
}

function longestAfter(step: number): number {
  return 2 * Math.max(step, BUSY_SECONDS)
}

/** What the receiver asks for is granted between the planned step and twice that. */
function politely(planned: number, retry_after: number | null, spreadOut: number): number {
  if (retry_after === null) return spreadOut
  return Math.min(Math.max(retry_after, spreadOut, planned), 2 * planned)
}

const spread = (step: number, random: number) => Math.round(step * (1 - JITTER + 2 * JITTER * random))
