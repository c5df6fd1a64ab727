import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'
import type { Tried } from './attempt.ts'
import { noteOutcome, type Stop } from './circuits.ts'
import {
  type ClaimedRow,
  deliveryOf,
  type Ending,
  endLease,
  endLeases,
  wakeHead,
  wakeHeads,
} from './lease-queries.ts'
import { insertAttempts, lastStatuses } from './queries.ts'
import { isRefusal, type Verdict, verdict, type Why } from './schedule.ts'

/** What the owner of a kind of delivery wants, and what it is told, in the transaction that ends the delivery. */
export interface DeliveryKind {
  /**
   * Asked before each try, outside any transaction, for what can only be known then; twice, when the try has to wait
   * for its turn at another endpoint than the stored one. When it throws, the try was made and failed: nobody is held
   * up for ever.
   */
  prepare?(delivery: DeliveryRow): Promise<Preparation>
  delivered?(tx: Tx, delivery: DeliveryRow, attempt: DeliveryAttemptRow): Promise<void>
  /** In place of `delivered`, for all that have arrived in the same moment, of any accounts. */
  allDelivered?(tx: Tx, deliveries: readonly DeliveryRow[]): Promise<void>
  /** After each try that failed and will be repeated. */
  retried?(tx: Tx, delivery: DeliveryRow): Promise<void>
  /** Once, when it has failed for good; not after each try. */
  failed?(tx: Tx, delivery: DeliveryRow, attempt: DeliveryAttemptRow, why: Why): Promise<void>
  /**
   * The endpoint of the delivery's circuit is to be given up, see circuits.ts: it said so (410), or nothing else than
   * failures came of it for five days. Told after the end of the delivery itself, and again when it is not given up.
   */
  stopped?(tx: Tx, delivery: DeliveryRow, why: Stop): Promise<void>
  /** How often it is tried in all; default and most: 11. With 1 it is sent once. */
  tries?: number
  /** For one try; default and most 10,000: a lease is not longer than it needs to be. */
  timeout_ms?: number
}

/** What differs from the stored request and from the kind at one try; its headers are added to the stored ones. */
export interface Preparation {
  url?: string
  headers?: Record<string, string>
  timeout_ms?: number
  tries?: number
}

/** The lease ran out, and another process has the delivery: what came of this try is dropped. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * Commits a try, the state that follows from it and what the owner makes of it, together or not at all.
 * Throws LeaseLost, and whatever the owner throws.
 */
export async function settle(
  ctx: Context,
  row: ClaimedRow,
  tried: Tried,
  kind: DeliveryKind,
): Promise<Verdict> {
  const { attempt, heard } = tried
  const now = ctx.now()
  return ctx.db.transaction().execute(async (tx) => {
    const stop = await noteOutcome(tx, row, heard, now)
    const verdict = await judge(tx, row, tried)
    const ending: Ending = {
      state: verdict.state,
      attempts: row.attempts + 1,
      next_attempt_at: verdict.state === 'pending' ? now + verdict.delay : now,
      ended_at: verdict.state === 'pending' ? null : now,
    }
    // The owner comes first: it locks its rows before ours, as it does when it queues, so that nobody deadlocks.
    const delivery = { ...deliveryOf(row), ...ending, leased_until: null }
    if (verdict.state === 'delivered') await tellArrived(tx, kind, [{ delivery, attempt }])
    if (verdict.state === 'pending') await kind.retried?.(tx, delivery)
    if (verdict.state === 'failed') await kind.failed?.(tx, delivery, attempt, verdict.why)
    if (!(await endLease(tx, row, ending)))
      throw new LeaseLost(`The lease of delivery ${row.id} is another's.`)
    await insertAttempts(tx, [attempt])
    if (verdict.state !== 'pending' && row.lane !== null) await wakeHead(tx, row.account_id, row.lane, now)
    if (stop) await kind.stopped?.(tx, delivery, stop)
    return verdict
  })
}

/** A delivery that was tried. */
export interface Ended {
  row: ClaimedRow
  tried: Tried
}

/**
 * Commits what has arrived, with what their owners make of it, all together or nothing of it: most of what one costs is
 * the transaction. Answers whether something is due now that waited in their lanes. Throws LeaseLost when one of them is
 * another's by now, and whatever an owner throws.
 */
export async function settleArrived(
  ctx: Context,
  ended: readonly Ended[],
  kinds: Record<string, DeliveryKind>,
): Promise<boolean> {
  const now = ctx.now()
  const rows = ended.map(({ row }) => row)
  return ctx.db.transaction().execute(async (tx) => {
    // Whatever is locked is locked in one order: circuits, what the owners lock, deliveries.
    for (const { row, tried } of oneOfEach(ended, ({ row }) => row.circuit ?? ''))
      await noteOutcome(tx, row, tried.heard, now)
    const ending = { state: 'delivered', next_attempt_at: now, leased_until: null, ended_at: now }
    for (const { row } of oneOfEach(ended, ({ row }) => row.kind)) {
      const own = ended.filter((one) => one.row.kind === row.kind)
      const told = own.map(({ row, tried: { attempt } }) => ({
        delivery: { ...deliveryOf(row), ...ending, attempts: row.attempts + 1 },
        attempt,
      }))
      await tellArrived(tx, kinds[row.kind] ?? {}, told)
    }
    if (!(await endLeases(tx, rows, now))) throw new LeaseLost('The lease of a delivery is another’s.')
    await insertAttempts(
      tx,
      ended.map(({ tried }) => tried.attempt),
    )
    return wakeHeads(tx, rows, now)
  })
}

async function tellArrived(
  tx: Tx,
  kind: DeliveryKind,
  arrived: { delivery: DeliveryRow; attempt: DeliveryAttemptRow }[],
): Promise<void> {
  if (kind.allDelivered)
    return kind.allDelivered(
      tx,
      arrived.map(({ delivery }) => delivery),
    )
  for (const { delivery, attempt } of arrived) await kind.delivered?.(tx, delivery, attempt)
}

/** The first one of each name, in the order of the names. */
function oneOfEach(ended: readonly Ended[], nameOf: (one: Ended) => string): Ended[] {
  const groups = Map.groupBy(ended, nameOf)
  return [...groups.keys()].sort().map((name) => groups.get(name)?.[0] as Ended)
}

async function judge(tx: Tx, row: ClaimedRow, { outcome, limit }: Tried): Promise<Verdict> {
  const tries = row.attempts + 1
  const earlier = isRefusal(outcome.status) ? await lastStatuses(tx, row.id, Math.min(row.attempts, 2)) : []
  const end = earlier.findIndex((status) => !isRefusal(status))
  const refusals = 1 + (end < 0 ? earlier.length : end)
  return verdict(outcome, { tries, refusals, limit }, Math.random())
}
