import type { Db, Tx } from '../db/database.ts'
import type { CircuitRow } from '../db/tables.ts'
import {
  countWaiting,
  holdLate,
  insertCircuit,
  lockCircuit,
  selectCircuit,
  selectCircuits,
  updateCircuit,
} from './circuit-queries.ts'
import { type ClaimedRow, OPENING } from './lease-queries.ts'
import { isAnswer, type Outcome, probeDelay } from './schedule.ts'

/**
 * A circuit is what deliveries to one endpoint share: whether it has been answering (C7).
 *
 * Five failures in a row open it. A failure is no connection, no answer in time, and an answer that says that the
 * endpoint does not do its work: 5xx, 408, 425, 429, a redirect. Any other 4xx is about the message, and is an answer
 * like a 2xx: it closes the circuit. A fault of ours says nothing.
 *
 * While a circuit is open, `opens_at` is when its next probe goes: one delivery, whose failure moves `opens_at` on by a
 * step of the schedule, or by what the receiver asks for. `failures` counts those in a row up to the opening, and then
 * probes alone, so that what was under way at the opening does not make the step longer. Everything else waits: a worker
 * that finds it due has it held (see HELD), once, and does not look at it again; it makes no tries meanwhile. Of what is
 * held that goes first as a probe which has tried least: a message on which the receiver breaks down cannot keep it
 * from all the others. What has just failed comes by its own schedule first, so that it has its day whoever waits with it.
 *
 * The first answer closes it: no failures. `opens_at` stays while it still holds deliveries, which the workers make due
 * in portions, as they can send them; then it is null. Lanes keep their order by themselves: what follows in a lane
 * waits for its head, not for the circuit.
 *
 * All of it is rows, for several processes: whoever moves `opens_at` on has the probe. A transaction locks the circuit
 * before the owners' rows and the deliveries, and does so only when something changes: a success where all is well is
 * noted once a minute.
 */
export type Stop = 'gone' | 'dead'

const DEAD_SECONDS = 5 * 86_400
const DEAD_TRIES = 10
const NOTED_SECONDS = 60
/** Seconds that somebody waits at most who is not held: a refusal's second and third try, a lease. */
const SOON = 60

export const isOpen = ({ failures, opens_at }: Pick<CircuitRow, 'failures' | 'opens_at'>): boolean =>
  failures >= OPENING && opens_at !== null

/** Whether deliveries of a circuit are not to be sent now. */
export async function isHeldUp(db: Db, name: string): Promise<boolean> {
  const [circuit] = await selectCircuit(db, { name })
  return circuit !== undefined && isOpen(circuit)
}

/** Notes what came of a try, before anything else of it is written; and says when its endpoint is to be given up. */
export async function noteOutcome(
  tx: Tx,
  { circuit: name, is_probe }: Pick<ClaimedRow, 'circuit' | 'is_probe'>,
  outcome: Outcome,
  now: number,
): Promise<Stop | null> {
  if (name === null) return null
  const random = Math.random()
  const after = (circuit: CircuitRow) => circuitAfter(circuit, outcome, { now, is_probe, random })
  const [seen] = await selectCircuit(tx, { name })
  // The usual case: all is well, and was so within the last minute.
  if (seen && after(seen) === seen) return null
  if (!seen) await insertCircuit(tx, unknown(name))
  const locked = await lockCircuit(tx, name)
  const next = locked && after(locked)
  if (!next || next === locked) return null
  await updateCircuit(tx, next)
  if (isOpen(locked) && !isOpen(next)) await holdLate(tx, name, now + SOON)
  return isAnswer(outcome) || outcome.error === 'fault' ? null : whyToStop(next, outcome, now)
}

interface Try {
  now: number
  is_probe: boolean
  /** From 0 up to 1, see schedule.ts. */
  random: number
}

/** What becomes of a circuit by a try; the very same when nothing does. */
export function circuitAfter(circuit: CircuitRow, outcome: Outcome, made: Try): CircuitRow {
  if (isAnswer(outcome)) return afterAnswer(circuit, outcome, made.now)
  const probed = isOpen(circuit) && made.is_probe
  // Nobody knows about the endpoint; but somebody else must probe it.
  if (outcome.error === 'fault')
    return probed ? { ...circuit, opens_at: opening(circuit.failures, outcome, made) } : circuit
  const failures = isOpen(circuit) && !probed ? circuit.failures : circuit.failures + 1
  return {
    ...circuit,
    failures,
    // Stored while the clock was ahead, it would keep a dead endpoint alive.
    failing_since: Math.min(circuit.failing_since ?? made.now, made.now),
    tries: circuit.tries + 1,
    opens_at: opensAt(circuit, failures, outcome, made),
    last_failure_at: made.now,
    last_error: outcome.error ?? String(outcome.status),
  }
}

function afterAnswer(circuit: CircuitRow, { status }: Outcome, now: number): CircuitRow {
  const { failures, last_success_at } = circuit
  const taken = status !== null && status < 300
  const noted = !taken || (last_success_at !== null && Math.abs(now - last_success_at) < NOTED_SECONDS)
  if (failures === 0 && noted) return circuit
  return {
    ...circuit,
    ...calm,
    // Closed, and yet to let go what it holds.
    opens_at: isOpen(circuit) ? now : circuit.opens_at,
    last_success_at: taken ? now : last_success_at,
  }
}

function opensAt(circuit: CircuitRow, failures: number, outcome: Outcome, made: Try): number | null {
  if (failures < OPENING) return circuit.opens_at
  const next = opening(failures, outcome, made)
  if (!isOpen(circuit) || made.is_probe) return next
  // It was under way when the circuit opened: it does not make it longer, unless the receiver asks for that.
  return outcome.retry_after === null ? circuit.opens_at : Math.max(next, circuit.opens_at ?? 0)
}

const opening = (failures: number, outcome: Outcome, { now, random }: Try): number =>
  now + probeDelay(outcome, failures - OPENING, random)

function whyToStop({ failing_since, tries }: CircuitRow, { status }: Outcome, now: number): Stop | null {
  if (status === 410) return 'gone'
  const since = failing_since ?? now
  return tries >= DEAD_TRIES && now - since >= DEAD_SECONDS ? 'dead' : null
}

/**
 * How circuits are, by their names, and how many deliveries wait in each, one under way included; of one that nothing
 * was tried of yet too. `opens_at` is when an open one is tried next; null when it is closed.
 */
export async function findCircuits(
  db: Db,
  names: readonly string[],
): Promise<Map<string, CircuitRow & { waiting: number }>> {
  if (names.length === 0) return new Map()
  const rows = new Map((await selectCircuits(db, names)).map((row) => [row.name, row]))
  const waiting = new Map((await countWaiting(db, names)).map((row) => [row.circuit, row.waiting]))
  return new Map(
    names.map((name) => {
      const row = rows.get(name) ?? unknown(name)
      const opens_at = isOpen(row) ? row.opens_at : null
      return [name, { ...row, opens_at, waiting: waiting.get(name) ?? 0 }]
    }),
  )
}

/** Closes a circuit by hand: what it holds is due. The worker is to be woken after the commit. */
export async function closeCircuit(tx: Tx, name: string, now: number): Promise<void> {
  const circuit = await lockCircuit(tx, name)
  if (!circuit) return
  await updateCircuit(tx, { ...circuit, ...calm, opens_at: now })
  await holdLate(tx, name, now + SOON)
}

const calm = { failures: 0, failing_since: null, tries: 0 }

const unknown = (name: string): CircuitRow => ({
  ...{ name, ...calm, opens_at: null },
  ...{ last_success_at: null, last_failure_at: null, last_error: null },
})
