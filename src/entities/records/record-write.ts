import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { type Access, loadAccess } from './access.ts'
import { StageDeleted } from './stage-locks.ts'

/** A write of records in progress: its transaction, and who writes. */
export interface RecordWrite {
  ctx: Context
  tx: Tx
  access: Access
}

/** A write of records within the caller's transaction. */
export const beginWrite = async (ctx: Context, tx: Tx, actor: Actor): Promise<RecordWrite> => ({
  ctx,
  tx,
  access: await loadAccess(tx, actor),
})

/**
 * Writes records in a transaction of their own, and once more if a stage was deleted meanwhile: a new lead then begins in
 * another one, and a stage that the caller has named is no choice any more.
 */
export async function writeRecords<Result>(
  ctx: Context,
  actor: Actor,
  work: (write: RecordWrite) => Promise<Result>,
): Promise<Result> {
  const write = () => ctx.db.transaction().execute(async (tx) => work(await beginWrite(ctx, tx, actor)))
  try {
    return await write()
  } catch (error) {
    if (error instanceof StageDeleted) return write()
    throw error
  }
}
