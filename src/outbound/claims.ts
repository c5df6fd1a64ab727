import type { Db, Tx } from '../db/database.ts'
import { commitSoon } from '../db/dialect.ts'
import type { Claimed } from './attempt.ts'
import { claimProbes, pauseBlocked, resume } from './circuit-breaker.ts'
import { type DueCircuit, selectDueCircuits, selectNextDueCircuit } from './circuit-queries.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'
import type { Backlog, DueRow } from './due-queries.ts'
import { claimDue, holdFollowers, LEASE, selectNextDue, withBodies } from './queue-queries.ts'
import { type Due, Turns } from './turns.ts'

/**
 * Claimed deliveries of one process: in total, of an account, and by the speed of their endpoint. Most of them wait in memory.
 * The half of an account is enough to keep all attempts busy, and leaves room for the others.
 */
const CLAIMED = { all: 512, account: 256, slow: 4, usual: 16, fast: 64 }
/** Those of all slow endpoints together. More would wait for their few places until their leases are too short. */
const CLAIMED_OF_SLOW = 96
/** Deliveries that one poll claims. */
const CLAIMED_AT_ONCE = 64
/** Circuits that one poll handles. */
const CIRCUITS = 16
/** Deliveries of a recovering circuit that are due at the same time; the others stay paused. */
const RECOVERING = 256

/** The plan for the deliveries and circuits that are due. */
interface Plan {
  claim: number[]
  hold: { id: number; first: number }[]
  pause: DueRow[]
  probe: { name: string; id: number }[]
  resume: { name: string; limit: number }[]
}

export interface Poll {
  claimed: Claimed[]
  /** Whether another poll may find more at once. */
  more: boolean
  /** Whether a poll may find more when one of the claimed deliveries has ended. */
  more_later: boolean
}

/**
 * The deliveries that this process has claimed, counted by their account and by the endpoint of their stored URL, so that an
 * unresponsive endpoint occupies only a few, and an account not all.
 */
export class Claims {
  readonly #limiter: ConcurrencyLimiter
  readonly #ids = new Set<number>()
  readonly #orderingKeys = new Set<string>()
  readonly #byEndpoint = new Map<string, number>()
  readonly #byAccount = new Map<number, number>()
  readonly #turns = new Turns()
  /** Due circuits that could not be handled: the next poll begins after them, so that they do not block the others. */
  #passed = 0

  constructor(limiter: ConcurrencyLimiter) {
    this.#limiter = limiter
  }

  get size(): number {
    return this.#ids.size
  }

  add(row: Claimed): void {
    this.#ids.add(row.id)
    this.#orderingKeys.add(orderingKeyOf(row))
    count(this.#byEndpoint, row.endpoint, 1)
    count(this.#byAccount, row.account_id, 1)
  }

  /** Returns whether it is time to claim more of the endpoint: when half of its limit is free. */
  remove(row: Claimed): boolean {
    this.#ids.delete(row.id)
    this.#orderingKeys.delete(orderingKeyOf(row))
    count(this.#byEndpoint, row.endpoint, -1)
    count(this.#byAccount, row.account_id, -1)
    return this.#free(row.endpoint) >= this.#limit(row.endpoint) / 2
  }

  /**
   * Claims due deliveries that this process can send. Deliveries that must not be sent now are held or paused, so that a
   * poll reads one page, however many wait.
   */
  async poll(db: Db, now: number): Promise<Poll> {
    const soon = now + LEASE
    const freeOfSlow = this.#freeOfSlow()
    const roomOf = ({ account_id, endpoint }: Backlog) =>
      Math.min(
        ...[this.#free(endpoint), this.#freeOfAccount(account_id)],
        this.#limiter.isSlow(endpoint) ? freeOfSlow : CLAIMED_AT_ONCE,
      )
    const [due, circuits] = await Promise.all([
      this.#turns.next(db, now, CLAIMED_AT_ONCE, roomOf),
      selectDueCircuits(db, { now, soon, most: RECOVERING, passed: this.#passed, limit: CIRCUITS }),
    ])
    const plan = { ...this.#planDue(due), ...this.#planCircuits(circuits) }
    const more_later = due.is_cut || due.rows.length > plan.claim.length
    if (Object.values(plan).every((part) => part.length === 0))
      return { claimed: [], more: false, more_later }
    const { changed, probes, others } = await db.transaction().execute((tx) => carryOut(tx, plan, now))
    return {
      claimed: [
        ...probes.map((row) => ({ ...row, is_probe: true })),
        ...others.map((row) => ({ ...row, is_probe: false })),
      ].sort((a, b) => a.id - b.id),
      more: changed > 0 || others.length >= CLAIMED_AT_ONCE || (others.length > 0 && due.is_cut),
      more_later,
    }
  }

  #planDue({ rows }: Due): Pick<Plan, 'claim' | 'hold' | 'pause'> {
    const plan: Pick<Plan, 'claim' | 'hold' | 'pause'> = { claim: [], hold: [], pause: [] }
    const ofEndpoint = new Map<string, number>()
    const ofAccount = new Map<number, number>()
    const most = Math.min(CLAIMED_AT_ONCE, CLAIMED.all - this.#ids.size)
    let freeOfSlow = this.#freeOfSlow()
    for (const row of rows) {
      const { id, first, endpoint, account_id } = row
      if (first !== null && first !== id) plan.hold.push({ id, first })
      // A delivery whose lease ended here is still being sent here; an ordering key has one delivery in flight.
      else if (this.#ids.has(id) || this.#orderingKeys.has(orderingKeyOf(row))) continue
      else if (row.is_blocked === 1) plan.pause.push(row)
      else {
        const left = Math.min(
          this.#free(endpoint) - (ofEndpoint.get(endpoint) ?? 0),
          this.#freeOfAccount(account_id) - (ofAccount.get(account_id) ?? 0),
        )
        const isSlow = this.#limiter.isSlow(endpoint)
        if (left <= 0 || plan.claim.length >= most || (isSlow && freeOfSlow <= 0)) continue
        count(ofEndpoint, endpoint, 1)
        count(ofAccount, account_id, 1)
        if (isSlow) freeOfSlow--
        plan.claim.push(id)
        this.#turns.serve(row)
      }
    }
    return plan
  }

  #planCircuits(circuits: readonly DueCircuit[]): Pick<Plan, 'probe' | 'resume'> {
    const probe = circuits
      .filter(({ state }) => state === 'open')
      .flatMap(({ name, next }) => (next === null || this.#ids.has(next) ? [] : [{ name, id: next }]))
    const resume = circuits
      .filter(({ state, busy }) => state === 'recovering' && busy <= RECOVERING / 2)
      .map(({ name, busy }) => ({ name, limit: RECOVERING - busy }))
    const left = circuits.length - probe.length - resume.length
    this.#passed = circuits.length < CIRCUITS ? 0 : this.#passed + left
    return { probe, resume }
  }

  #freeOfSlow(): number {
    let free = CLAIMED_OF_SLOW
    for (const [endpoint, claimed] of this.#byEndpoint) if (this.#limiter.isSlow(endpoint)) free -= claimed
    return free
  }

  #free(endpoint: string): number {
    return this.#limit(endpoint) - (this.#byEndpoint.get(endpoint) ?? 0)
  }

  #freeOfAccount(account_id: number): number {
    return CLAIMED.account - (this.#byAccount.get(account_id) ?? 0)
  }

  #limit(endpoint: string): number {
    if (this.#limiter.isSlow(endpoint)) return CLAIMED.slow
    return this.#limiter.isFast(endpoint) ? CLAIMED.fast : CLAIMED.usual
  }
}

/** Does not wait for the disk: if a lease is lost with the database, the delivery is due again, and its process notices. */
async function carryOut(tx: Tx, plan: Plan, now: number) {
  await commitSoon(tx)
  const until = now + LEASE
  let changed = 0
  if (plan.hold.length > 0) changed += await holdFollowers(tx, plan.hold, now)
  if (plan.pause.length > 0) changed += await pauseBlocked(tx, plan.pause, now)
  for (const { name, limit } of plan.resume) changed += await resume(tx, name, now, limit)
  return {
    changed,
    probes: plan.probe.length > 0 ? await withBodies(tx, await claimProbes(tx, plan.probe, now, until)) : [],
    others:
      plan.claim.length > 0 ? await withBodies(tx, await claimDue(tx, { ids: plan.claim, now, until })) : [],
  }
}

/** When there is something to do next, in Unix seconds; null when nothing waits. */
export async function nextPoll(db: Db): Promise<number | null> {
  const [delivery, circuit] = await Promise.all([selectNextDue(db), selectNextDueCircuit(db)])
  const times = [delivery, circuit].filter((time) => time !== null)
  return times.length > 0 ? Math.min(...times) : null
}

/** A delivery without an ordering key has one of its own. */
const orderingKeyOf = ({
  id,
  account_id,
  ordering_key,
}: Pick<DueRow, 'id' | 'account_id' | 'ordering_key'>) =>
  ordering_key === null ? `${id}` : `${account_id} ${ordering_key}`

/** Adds to a number of a map, in which a missing one is 0. */
function count<K>(counts: Map<K, number>, key: K, more: number): void {
  const now = (counts.get(key) ?? 0) + more
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}
