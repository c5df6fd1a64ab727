import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Budget } from '../http/limits/rate-limit.ts'

/** The notifications that queues of work have (see context.ts). */
export const bells = ['queued', 'jobs_due', 'rules_due'] as const
export type BellName = (typeof bells)[number]

export type Figures = MetricObjectWithValues<MetricValue<string>>[]

/** The calls between the two sides: their input and their result. */
export interface Calls {
  /** Takes tokens of rate limits: the seconds to wait, or 0. */
  take: [Budget[], number]
  /** Takes one of so many places of a key: whether there was one. */
  enter: [[key: string, most: number], boolean]
  /** The metrics of all processes. */
  metrics: [null, Figures[]]
  /** The metrics of this process, for the primary. */
  figures: [null, Figures]
}
export type CallName = keyof Calls

/**
 * The messages between the processes of a server. All of them go through the primary. The messages of one turn of the
 * event loop travel together, as a list.
 */
export type Message =
  | { is: 'call'; id: number; name: CallName; input: unknown }
  | { is: 'result'; id: number; value: unknown }
  /** A server listens at this address. */
  | { is: 'ready'; address: string }
  /** A transaction was committed. */
  | { is: 'commit' }
  | { is: 'ring'; bell: BellName }
  | { is: 'give_back'; budgets: Budget[] }
  | { is: 'leave'; key: string }
  /** The lock for writing: a process wants it; its holder is to give it back; it was given back; it is granted. */
  | { is: 'want' }
  | { is: 'wanted' }
  | { is: 'free'; newest_ulid: string }
  | { is: 'granted'; newest_ulid: string; isWanted: boolean }
  /** The server is to stop as after a signal. */
  | { is: 'stop'; signal: string }

export type MessageOf<Is extends Message['is']> = Extract<Message, { is: Is }>
