import type { Context } from '../../context.ts'
import { recordAudit } from '../audit/audit.ts'
import { lockUser } from '../members/people-queries.ts'
import type { OwnSessions } from '../members/schemas.ts'
import { deleteSessionsOf, newestSessionsOf } from './session-queries.ts'
import { type BrowserSession, isActive } from './sessions.ts'

/** The most sessions that are listed. */
const MOST = 50

/** The active sessions of the person, the one in use first, then the last used one. */
export async function listOwnSessions(ctx: Context, { user_id, hash }: BrowserSession): Promise<OwnSessions> {
  const rows = await newestSessionsOf(ctx.db, user_id, MOST)
  const sessions = rows
    .filter((row) => isActive(row, ctx.now()))
    .map(({ created_at, seen_at, address, user_agent, ...row }) => ({
      id: row.hash.toString('hex').slice(0, 16),
      is_current: row.hash.equals(hash),
      ...{ created_at, seen_at, address, user_agent },
    }))
    .sort((one, other) => Number(other.is_current) - Number(one.is_current))
  return { sessions }
}

/** Ends all other sessions of the person. */
export async function endOtherSessions(
  ctx: Context,
  { user_id, hash, account_id }: BrowserSession,
  { address, request_id }: { address: string; request_id: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, user_id)
    await deleteSessionsOf(tx, user_id, hash)
    if (account_id === null) return
    const by = { account_id, user_id, address, request_id }
    await recordAudit(ctx, tx, { ...by, action: 'session.others_ended', details: {} })
  })
}
