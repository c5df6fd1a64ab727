import type { Db, Tx } from '../db/database.ts'
import { commitSoon } from '../db/dialect.ts'
import {
  type DueCircuit,
  hold,
  letGo,
  nextTimes,
  selectDueCircuits,
  takeProbes,
  WAITING,
} from './circuit-queries.ts'
import { type Choice, CLAIMED_AT_ONCE, type InFlight, LET_GO } from './in-flight.ts'
import { type ClaimedRow, claim, LEASE, PAGE, park, selectDue } from './lease-queries.ts'

/** Circuits that something is done with at a time. */
const CIRCUITS = 16

export interface Poll {
  claimed: ClaimedRow[]
  /** Whether there may be more to do at once, and not only when something of this has ended. */
  more: boolean
  /** Whether something that is due was left, for want of room. */
  left: boolean
}

/**
 * Claims the due deliveries that this process can send. Those that cannot be sent now are taken out of the due rows, so
 * that a poll reads one page, however many wait.
 */
export async function pollOnce(db: Db, inFlight: InFlight, now: number): Promise<Poll> {
  const full = inFlight.full()
  const [due, circuits] = await Promise.all([selectDue(db, now, full), dueCircuits(db, now)])
  const choice = inFlight.choose(due, circuits)
  const left = full.length > 0 || due.length > choice.claim.length
  if (!Object.values(choice).some((chosen) => chosen.length > 0)) return { claimed: [], more: false, left }
  const { moved, probes, others } = await db.transaction().execute((tx) => take(tx, choice, now))
  const isFull = others.length >= CLAIMED_AT_ONCE || (others.length > 0 && due.length >= PAGE)
  return {
    claimed: [
      ...probes.map((row) => ({ ...row, is_probe: true })),
      ...others.map((row) => ({ ...row, is_probe: false })),
    ],
    more: isFull || moved > 0,
    left,
  }
}

const dueCircuits = (db: Db, now: number): Promise<DueCircuit[]> =>
  selectDueCircuits(db, { now, soon: now + LEASE, most: LET_GO, limit: CIRCUITS })

/** A lease that is forgotten is due again, and whoever has it finds that out: nothing of this need outlive the database. */
async function take(tx: Tx, choice: Choice, now: number) {
  await commitSoon(tx)
  let moved = 0
  if (choice.park.length > 0) moved += await park(tx, choice.park, now)
  if (choice.hold.length > 0) moved += await hold(tx, choice.hold, now)
  for (const { name, most } of choice.letGo) moved += await letGo(tx, name, now, most)
  return {
    moved,
    probes: choice.probe.length > 0 ? await claimProbes(tx, choice.probe, now) : [],
    others: choice.claim.length > 0 ? await claim(tx, choice.claim, [0, now], now + LEASE) : [],
  }
}

async function claimProbes(tx: Tx, probes: Choice['probe'], now: number) {
  const until = now + LEASE
  const names = probes.map(({ name }) => name)
  const taken = new Set(await takeProbes(tx, names, now, until))
  const ids = probes.filter(({ name }) => taken.has(name)).map(({ id }) => id)
  return ids.length > 0 ? claim(tx, ids, WAITING, until) : []
}

/** When there is something to do next, in Unix seconds; null when nothing waits. */
export async function nextPoll(db: Db): Promise<number | null> {
  const { delivery, circuit } = await nextTimes(db)
  const times = [delivery, circuit].filter((time) => time !== null)
  return times.length > 0 ? Math.min(...times) : null
}
