import type { Db, Tx } from '../../db/database.ts'
import { forUpdateSkipLocked, isOneOf } from '../../db/dialect.ts'
import { insertRows } from '../../db/row-sets.ts'
import type { TagErasureRow } from '../../db/tables.ts'

/** Erasures, of any account, that are loaded at once. */
const AT_ONCE = 20

export const insertTagErasure = (tx: Tx, row: TagErasureRow): Promise<void> =>
  insertRows(tx, 'tag_erasures', [row])

/** By tag_erasures_by_due. */
export function dueTagErasures(db: Db, now: number): Promise<TagErasureRow[]> {
  return db
    .selectFrom('tag_erasures')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(AT_ONCE)
    .execute()
}

type Key = Pick<TagErasureRow, 'account_id' | 'tag_id'>

/** Returns undefined if the erasure is done or another process is working on it. */
export function lockTagErasure(tx: Tx, { account_id, tag_id }: Key): Promise<TagErasureRow | undefined> {
  return tx
    .selectFrom('tag_erasures')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('tag_id', '=', tag_id)
    .modifyEnd(forUpdateSkipLocked(tx))
    .executeTakeFirst()
}

export async function putOffTagErasure(tx: Tx, { account_id, tag_id }: Key, due_at: number): Promise<void> {
  await tx
    .updateTable('tag_erasures')
    .set({ due_at })
    .where('account_id', '=', account_id)
    .where('tag_id', '=', tag_id)
    .execute()
}

export async function deleteTagErasure(tx: Tx, { account_id, tag_id }: Key): Promise<void> {
  await tx
    .deleteFrom('tag_erasures')
    .where('account_id', '=', account_id)
    .where('tag_id', '=', tag_id)
    .execute()
}

/** Takes the tag from the first records that have it, and returns their number; by entity_tags_by_tag. */
export async function takeFromRecords(tx: Tx, { account_id, tag_id }: Key, limit: number): Promise<number> {
  const rows = await tx
    .selectFrom('entity_tags')
    .select('entity_id')
    .where('account_id', '=', account_id)
    .where('tag_id', '=', tag_id)
    .orderBy('entity_id')
    .limit(limit)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ entity_id }) => entity_id)
  await tx
    .deleteFrom('entity_tags')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), ids))
    .where('tag_id', '=', tag_id)
    .execute()
  return rows.length
}
