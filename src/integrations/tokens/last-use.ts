import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { touchInstallation } from '../registry/queries.ts'
import { notePairElsewhere, touchPair } from './token-history-queries.ts'
import type { Use } from './token-queries.ts'

/** A pair of tokens, and its installation. */
export interface UsedPair {
  account_id: number
  integration_id: string
  grant_id: string
  generation: number
}

/** The uses of a pair by bearer calls that this process has not written yet. */
interface Uses extends UsedPair {
  first: Use
  last: Use
}

/** A refusal at the address of another account. */
interface Elsewhere {
  pair: UsedPair
  use: Use
  host: string
}

/** Uses that are kept in memory, per database: a write per call would cost more than the call. */
interface Unwritten {
  uses: Map<string, Uses>
  elsewhere: Map<string, Elsewhere>
}

const unwritten = new WeakMap<Db, Unwritten>()

/** Refusals are not the calls of a working integration, so only so many are kept. */
const MOST_ELSEWHERE = 1_000

function unwrittenOf({ db }: Context): Unwritten {
  const known = unwritten.get(db)
  if (known) return known
  const none: Unwritten = { uses: new Map(), elsewhere: new Map() }
  unwritten.set(db, none)
  return none
}

const keyOf = ({ grant_id, generation }: Pick<UsedPair, 'grant_id' | 'generation'>): string =>
  `${grant_id} ${generation}`

/** Records a use in memory. */
export function noteUse(ctx: Context, pair: UsedPair, use: Use): void {
  const { uses } = unwrittenOf(ctx)
  const key = keyOf(pair)
  const known = uses.get(key)
  if (known) {
    known.last = use
    return
  }
  const { account_id, integration_id, grant_id, generation } = pair
  uses.set(key, { account_id, integration_id, grant_id, generation, first: use, last: use })
}

/** Records in memory that a valid token was refused at this host, which is the address of another account. */
export function noteElsewhere(ctx: Context, pair: UsedPair, use: Use, host: string): void {
  const { elsewhere } = unwrittenOf(ctx)
  const key = keyOf(pair)
  if (elsewhere.size < MOST_ELSEWHERE || elsewhere.has(key)) elsewhere.set(key, { pair, use, host })
}

/** The unwritten last uses of the installations of an account, by integration, in Unix seconds. */
export function lastUses(ctx: Context, account_id: number): Map<string, number> {
  const found = new Map<string, number>()
  for (const use of unwrittenOf(ctx).uses.values())
    if (use.account_id === account_id)
      found.set(use.integration_id, Math.max(use.last.at, found.get(use.integration_id) ?? 0))
  return found
}

/** The first and the last use of a pair that are not written yet. */
export function usesOfPair(
  ctx: Context,
  pair: Pick<UsedPair, 'grant_id' | 'generation'>,
): { first: Use; last: Use } | undefined {
  return unwrittenOf(ctx).uses.get(keyOf(pair))
}

/** Writes what was recorded, once a minute and at shutdown. If that fails, it is kept for the next time. */
export async function writeUses(ctx: Context): Promise<void> {
  const { uses, elsewhere } = unwrittenOf(ctx)
  if (uses.size === 0 && elsewhere.size === 0) return
  const written = [...uses].map(([key, use]) => [key, { ...use }] as const)
  const refused = [...elsewhere]
  await ctx.db.transaction().execute(async (tx) => {
    for (const use of installationsOf(written.map(([, one]) => one))) await touchInstallation(tx, use)
    for (const [, use] of written) await touchPair(tx, use)
    for (const [, { pair, use, host }] of refused) await notePairElsewhere(tx, { ...pair, ...use, host })
  })
  for (const [key, { last }] of written) if (uses.get(key)?.last === last) uses.delete(key)
  for (const [key, one] of refused) if (elsewhere.get(key) === one) elsewhere.delete(key)
}

function installationsOf(
  uses: readonly Uses[],
): { account_id: number; integration_id: string; at: number }[] {
  const byPlace = Map.groupBy(uses, ({ account_id, integration_id }) => `${account_id} ${integration_id}`)
  return [...byPlace.values()].map((same) => {
    const { account_id, integration_id } = same[0] as Uses
    return { account_id, integration_id, at: Math.max(...same.map(({ last }) => last.at)) }
  })
}
