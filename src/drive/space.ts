import { type Actor, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { FileSpace } from './schemas.ts'
import { usedBytes } from './session-queries.ts'

/** The space that the files of the account take, and how much they may take. For administrators. */
export async function fileSpace(ctx: Context, actor: Actor): Promise<FileSpace> {
  requireAdmin(actor)
  return { used_bytes: await usedBytes(ctx.db, actor.account_id), limit_bytes: ctx.config.files_limit }
}
