import { type Actor, activeIds, findMembers } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { lockNames } from '../db/dialect.ts'
import type { CallNoticeRow } from '../db/tables.ts'
import { newUlid } from '../db/ulids.ts'
import { findByPhone, loadAccess } from '../entities/entities.ts'
import { collectFaults, notAChoice, Refusal } from '../errors.ts'
import { OVERLAP } from './live.ts'
import { countNoticesSince, insertNotices } from './queries.ts'

/** The public API of the slice: notices of calls, which people with an open page see at once. */

export { callNoticeTexts, sweepCallNotices } from './live.ts'

export interface CallNoticeDraft {
  phone_number: string
  /** The users who see it; without them, everybody. */
  users?: number[] | undefined
}

/** The most notices of an account that the streams read again. */
const MOST_RECENT = 200

/**
 * Adds notices, all of them or none, and finds the contact or company with each number among those that the actor can
 * see.
 */
export function addCallNotices(
  ctx: Context,
  actor: Actor,
  drafts: readonly CallNoticeDraft[],
): Promise<CallNoticeRow[]> {
  const { account_id } = actor
  return ctx.db.transaction().execute(async (tx) => {
    // Other requests must not add notices after these were counted.
    await lockNames(tx, [`call notices ${account_id}`])
    const active = activeIds(await findMembers(tx, account_id))
    const { about, refuse } = collectFaults()
    drafts.forEach(({ users = [] }, i) => {
      users.forEach((id, n) => {
        if (!active.includes(id)) about(String(i))('NotSupportedChoice', `users.${n}`, notAChoice(active))
      })
    })
    refuse()
    if ((await countNoticesSince(tx, account_id, ctx.now() - OVERLAP)) + drafts.length > MOST_RECENT)
      throw new Refusal(
        'too_many',
        `An account can have at most ${MOST_RECENT} call notices in ${OVERLAP} seconds.`,
        {
          retry_after: OVERLAP,
        },
      )
    const access = await loadAccess(tx, actor)
    const phones = drafts.map(({ phone_number }) => phone_number)
    const holders = await findByPhone(tx, access, phones, 'view')
    const rows = drafts.map(({ phone_number, users }): CallNoticeRow => {
      const holder = holders.get(phone_number)
      return {
        account_id,
        id: newUlid(ctx),
        phone: phone_number,
        entity_type: holder?.entity_type ?? null,
        entity_id: holder?.id ?? null,
        users: users && users.length > 0 ? JSON.stringify(users) : null,
        created_at: ctx.now(),
      }
    })
    await insertNotices(tx, rows)
    return rows
  })
}
