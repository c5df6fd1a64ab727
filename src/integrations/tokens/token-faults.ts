import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { arriveAtRace, type FaultKind, findFaults, takeFault } from './token-fault-queries.ts'

/**
 * Faults of the token endpoint, which tests of integrations arm for the next refreshes of one consent (Q16). They are rows,
 * so that they work in every process of a server. Without the test helpers, a refresh costs one check more.
 */

/** The answer was committed, and is not to be sent. */
export class LostAnswer extends Error {
  override name = 'LostAnswer'
}

/** Refreshes that a race holds, and the longest time that it holds one, in milliseconds. */
const RUNNERS = 2
const LONGEST_HOLD = 20_000
const POLL_MS = 20

async function isArmed(ctx: Context, grant_id: string, kind: FaultKind): Promise<boolean> {
  const now = ctx.now()
  return (await findFaults(ctx.db, { grant_id })).some((one) => one.kind === kind && one.expires_at > now)
}

/** Throws LostAnswer if the answer to this refresh is to be lost. It is called after the commit. */
export async function loseAnswer(ctx: Context, grant_id: string): Promise<void> {
  if (!(await isArmed(ctx, grant_id, 'lost_answer'))) return
  const isLost = await ctx.db.transaction().execute((tx) => takeFault(tx, grant_id, 'lost_answer', ctx.now()))
  if (isLost) throw new LostAnswer('the answer is lost, as the test helpers were asked to')
}

/**
 * Holds a refresh until the other one of a race has arrived, or the time is over. Both have read the pair before, so none
 * of them knows a child.
 */
export async function holdForRace(ctx: Context, grant_id: string): Promise<void> {
  if (!(await isArmed(ctx, grant_id, 'race'))) return
  const now = ctx.now()
  const place = await ctx.db
    .transaction()
    .execute((tx) => arriveAtRace(tx, grant_id, { now, runners: RUNNERS }))
  if (place === undefined || place === RUNNERS) return
  const ends_at = performance.now() + LONGEST_HOLD
  while (performance.now() < ends_at && !(await isOver(ctx, grant_id))) await sleep(POLL_MS)
  await ctx.db.transaction().execute((tx) => takeFault(tx, grant_id, 'race', now))
}

async function isOver(ctx: Context, grant_id: string): Promise<boolean> {
  const race = (await findFaults(ctx.db, { grant_id })).find(({ kind }) => kind === 'race')
  return !race || race.arrived >= RUNNERS || race.expires_at <= ctx.now()
}
