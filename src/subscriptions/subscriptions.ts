import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { lockNames } from '../db/dialect.ts'
import { loadAccess, readRecord, requireRecords } from '../entities/entities.ts'
import { Refusal } from '../errors.ts'
import { deleteSubscription, findFollowed, findFollowers, insertSubscription } from './queries.ts'

/** The public API of the slice: who follows which card. */

export { moveSubscriptions, removeSubscriptions } from './queries.ts'

/** Kinds of records that can be followed. */
export const followedTypes = ['leads', 'customers'] as const
export type FollowedType = (typeof followedTypes)[number]

/** The most records that a person can follow: the application reads all of them. */
const MOST = 1_000

/** The ids of the people who follow a record. The record must be visible. */
export async function listFollowers(
  ctx: Context,
  actor: Actor,
  type: FollowedType,
  id: number,
): Promise<number[]> {
  await readRecord(ctx.db, await loadAccess(ctx.db, actor), type, id)
  return findFollowers(ctx.db, actor.account_id, id)
}

/** The records that the actor follows, including those that they can no longer see. */
export const listFollowed = (ctx: Context, { account_id, user_id }: Actor) =>
  findFollowed(ctx.db, account_id, user_id)

/** Lets the actor follow a record that they can see (K3). */
export async function follow(ctx: Context, actor: Actor, type: FollowedType, id: number): Promise<void> {
  const { account_id, user_id } = actor
  await ctx.db.transaction().execute(async (tx) => {
    const named = { entity_type: type, id, request_id: '0', path: 'id' }
    await requireRecords(tx, await loadAccess(tx, actor), 'view', [named], 'path')
    // Other requests of the person must not add records after these were counted.
    await lockNames(tx, [`followed ${account_id} ${user_id}`])
    const followed = await findFollowed(tx, account_id, user_id)
    if (followed.some(({ entity_id }) => entity_id === id)) return
    if (followed.length >= MOST)
      throw new Refusal('conflict', `A person can follow at most ${MOST} records.`, {
        code: 'subscription_limit',
      })
    await insertSubscription(tx, {
      account_id,
      entity_type: type,
      entity_id: id,
      user_id,
      created_at: ctx.now(),
    })
  })
}

/** Ends it. A person can stop following a record that they can no longer see. */
export async function unfollow(ctx: Context, actor: Actor, id: number): Promise<void> {
  const { account_id, user_id } = actor
  await ctx.db.transaction().execute((tx) => deleteSubscription(tx, { account_id, entity_id: id, user_id }))
}
