import type { Db, Tx } from '../db/database.ts'
import type { CircuitRow } from '../db/tables.ts'
import { isAccepted, isAnswer, type Outcome, probeDelay } from './backoff.ts'
import {
  closeRecovered,
  countPendingIn,
  insertCircuit,
  lockCircuit,
  lockInState,
  OPENING,
  postponeProbes,
  selectCircuit,
  selectCircuits,
  updateCircuit,
} from './circuit-queries.ts'
import type { DueRow } from './due-queries.ts'
import { type ClaimedRow, claimPaused, hastenCircuit, pause, resumePaused } from './queue-queries.ts'

/**
 * A circuit is shared by the deliveries to one endpoint (C8). It is one of:
 *
 * - `closed`: the endpoint works, or has failed fewer than five times in a row.
 * - `open`: it has failed five times in a row. Its due deliveries are paused. At `due_at`, one of them goes as a probe.
 * - `recovering`: it has answered again. Its paused deliveries are resumed in batches.
 *
 * A failure is no answer in time, or an answer that says that the endpoint does not work: 5xx, 408, 425, 429, a redirect.
 * Any other 4xx is about the message and counts as an answer. A fault in this program counts as neither.
 *
 * The paused delivery with the fewest attempts goes first, so a message on which the receiver crashes does not keep the
 * circuit open. A failed probe postpones the next one by a step of the schedule, or by what the receiver asks for. Attempts
 * that were in flight when the circuit opened do not. Paused deliveries keep their number of attempts and are not polled.
 *
 * Circuits are rows, so that several processes share them: the process that moves `due_at` sends the probe. A transaction
 * locks the circuit before the rows of owners and the deliveries. It does so only when something changes: a success of a
 * working endpoint is stored once a minute.
 */
export type Stop = 'gone' | 'dead' | 'failures'

const DEAD_SECONDS = 5 * 86_400
const DEAD_ATTEMPTS = 10
const SUCCESS_SECONDS = 60
/** When a circuit closes, deliveries that would wait longer than this for their next attempt are due at once. */
const SOON = 60

export const isOpen = ({ state }: Pick<CircuitRow, 'state'>): boolean => state === 'open'

/** Whether deliveries of a circuit must not be sent now. */
export async function isBlocked(db: Db, name: string): Promise<boolean> {
  const [circuit] = await selectCircuit(db, { name })
  return circuit !== undefined && isOpen(circuit)
}

/** Pauses due deliveries whose circuits are open, and returns how many. */
export async function pauseBlocked(
  tx: Tx,
  due: readonly Pick<DueRow, 'id' | 'circuit'>[],
  now: number,
): Promise<number> {
  // The lock decides the race with an answer: the transaction that ends the open state sees the paused rows.
  const names = await lockInState(tx, [...new Set(due.flatMap(({ circuit }) => circuit ?? []))], 'open')
  const open = new Set<string | null>(names)
  return pause(
    tx,
    due.filter(({ circuit }) => open.has(circuit)).map(({ id }) => id),
    now,
  )
}

/** Claims the next probes of open circuits. No other process sends one before `until`, also when this process dies. */
export async function claimProbes(
  tx: Tx,
  probes: readonly { name: string; id: number }[],
  now: number,
  until: number,
): Promise<ClaimedRow[]> {
  const open = await lockInState(
    tx,
    probes.map(({ name }) => name),
    'open',
  )
  const names = new Set(open.length > 0 ? await postponeProbes(tx, open, now, until) : [])
  const ids = probes.filter(({ name }) => names.has(name)).map(({ id }) => id)
  return ids.length > 0 ? claimPaused(tx, { ids, until }) : []
}

/** Resumes up to `limit` paused deliveries of a recovering circuit, or closes it when there are none. Returns how many. */
export async function resume(tx: Tx, name: string, now: number, limit: number): Promise<number> {
  const [locked] = await lockInState(tx, [name], 'recovering')
  if (locked === undefined) return 0
  const resumed = await resumePaused(tx, name, now, limit)
  if (resumed === 0) await closeRecovered(tx, name)
  return resumed
}

/** The consequences of an outcome for the other deliveries of a circuit. */
interface Effect {
  /** Why the endpoint must be given up. */
  stop: Stop | null
  /** The circuit, if it was open and no longer is: its deliveries must be hastened when the owners' rows are locked. */
  closing: string | null
}

const NO_EFFECT: Effect = { stop: null, closing: null }

/** Stores the outcome of an attempt, before anything else of it is written. */
export async function recordOutcome(
  tx: Tx,
  { circuit: name, is_probe, opens }: { circuit: string | null; is_probe: boolean; opens: boolean },
  outcome: Outcome,
  now: number,
): Promise<Effect> {
  if (name === null) return NO_EFFECT
  const random = Math.random()
  const after = (circuit: CircuitRow) => circuitAfter(circuit, outcome, { now, is_probe, opens, random })
  const [seen] = await selectCircuit(tx, { name })
  // The usual case: the endpoint works, and a success was stored within the last minute.
  if (seen && after(seen) === seen) return NO_EFFECT
  if (!seen) await insertCircuit(tx, newCircuit(name))
  const locked = await lockCircuit(tx, name)
  const next = locked && after(locked)
  if (!next || next === locked) return NO_EFFECT
  await updateCircuit(tx, next)
  const canStop = opens && !isAnswer(outcome) && outcome.error !== 'fault'
  return {
    stop: canStop ? whyToStop(next, outcome, now) : null,
    closing: isOpen(locked) && !isOpen(next) ? name : null,
  }
}

/** When a circuit closes, its deliveries that would wait for long are due at once. */
export const hastenPending = (tx: Tx, name: string, now: number): Promise<number> =>
  hastenCircuit(tx, name, now, now + SOON)

interface Attempt {
  now: number
  is_probe: boolean
  /** Whether failures open the circuit. Otherwise it only counts them. */
  opens: boolean
  /** From 0 up to 1, see backoff.ts. */
  random: number
}

/** A circuit after an attempt; the same object when nothing changes. */
export function circuitAfter(circuit: CircuitRow, outcome: Outcome, made: Attempt): CircuitRow {
  if (isAnswer(outcome)) return afterAnswer(circuit, outcome, made.now)
  const probed = isOpen(circuit) && made.is_probe
  // It says nothing about the endpoint, but another delivery must probe it.
  if (outcome.error === 'fault')
    return probed ? { ...circuit, due_at: probeTime(circuit.failures, outcome, made) } : circuit
  const failures = isOpen(circuit) && !probed ? circuit.failures : circuit.failures + 1
  return {
    ...circuit,
    ...(failures >= OPENING && made.opens && { state: 'open' as const }),
    failures,
    // A time that was stored before the clock was set back would keep a dead endpoint alive.
    failing_since: Math.min(circuit.failing_since ?? made.now, made.now),
    tries: circuit.tries + 1,
    due_at: dueAt(circuit, failures, outcome, made),
    last_failure_at: made.now,
    last_error: outcome.error ?? String(outcome.status),
  }
}

function afterAnswer(circuit: CircuitRow, outcome: Outcome, now: number): CircuitRow {
  const { failures, last_success_at } = circuit
  const accepted = isAccepted(outcome)
  const isStored =
    !accepted || (last_success_at !== null && Math.abs(now - last_success_at) < SUCCESS_SECONDS)
  if (failures === 0 && isStored) return circuit
  return {
    ...circuit,
    ...NO_FAILURES,
    ...(isOpen(circuit) && { state: 'recovering' as const, due_at: now }),
    last_success_at: accepted ? now : last_success_at,
  }
}

function dueAt(circuit: CircuitRow, failures: number, outcome: Outcome, made: Attempt): number | null {
  if (failures < OPENING || !made.opens) return circuit.due_at
  const next = probeTime(failures, outcome, made)
  if (!isOpen(circuit) || made.is_probe) return next
  // It was in flight when the circuit opened: it changes nothing, unless the receiver asks for time.
  return outcome.retry_after === null ? circuit.due_at : Math.max(next, circuit.due_at ?? 0)
}

const probeTime = (failures: number, outcome: Outcome, { now, random }: Attempt): number =>
  now + probeDelay(outcome, failures - OPENING, random)

function whyToStop({ failing_since, tries }: CircuitRow, { status }: Outcome, now: number): Stop | null {
  if (status === 410) return 'gone'
  const since = failing_since ?? now
  return tries >= DEAD_ATTEMPTS && now - since >= DEAD_SECONDS ? 'dead' : null
}

/** A circuit as its owner sees it. */
export interface CircuitStatus extends Omit<CircuitRow, 'due_at'> {
  /** When an open circuit is probed next, in Unix seconds; otherwise null. */
  next_probe_at: number | null
  /** Its pending deliveries, those in flight included. */
  waiting: number
}

/** The status of circuits, by their names. A circuit without an attempt is closed. */
export async function findCircuits(db: Db, names: readonly string[]): Promise<Map<string, CircuitStatus>> {
  if (names.length === 0) return new Map()
  const rows = new Map((await selectCircuits(db, names)).map((row) => [row.name, row]))
  const pending = new Map((await countPendingIn(db, names)).map((row) => [row.circuit, row.pending]))
  return new Map(
    names.map((name) => {
      const { due_at, ...row } = rows.get(name) ?? newCircuit(name)
      const next_probe_at = isOpen(row) ? due_at : null
      return [name, { ...row, next_probe_at, waiting: pending.get(name) ?? 0 }]
    }),
  )
}

/** Locks a circuit for closeCircuit, before the rows of its owner. */
export const lockForClosing = async (tx: Tx, name: string): Promise<void> => {
  await lockCircuit(tx, name)
}

/**
 * Closes a circuit for a person: its paused deliveries are resumed. An owner that locks rows of its own calls
 * lockForClosing first. Wake the worker after the commit.
 */
export async function closeCircuit(tx: Tx, name: string, now: number): Promise<void> {
  const circuit = await lockCircuit(tx, name)
  if (!circuit) return
  await updateCircuit(tx, { ...circuit, ...NO_FAILURES, state: 'recovering', due_at: now })
  await hastenPending(tx, name, now)
}

const NO_FAILURES = { failures: 0, failing_since: null, tries: 0 }

const newCircuit = (name: string): CircuitRow => ({
  ...{ name, ...NO_FAILURES, state: 'closed', due_at: null },
  ...{ last_success_at: null, last_failure_at: null, last_error: null },
})
