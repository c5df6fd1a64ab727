import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { noteDeletedIds } from '../../db/dialect.ts'
import type { TagErasureRow } from '../../db/tables.ts'
import {
  deleteTagErasure,
  dueTagErasures,
  insertTagErasure,
  lockTagErasure,
  putOffTagErasure,
  takeFromRecords,
} from './tag-erasure-queries.ts'

/**
 * A deleted tag disappears from every response at once, because responses show only existing tags, and no filter finds
 * records by it. It is taken from the records afterwards, as the values of a deleted field are: in batches with a
 * transaction each, which block nobody and continue after a crash.
 */
const BATCH = 500
/** A transaction that read the tag before the deletion can still give it to a record. */
const LATE_WRITERS_SECONDS = 60

/**
 * Queues the erasure of a tag from all records. Its id is noted: after a restore, another tag of this id would get the
 * records of this one, and then be taken from them.
 */
export async function eraseTag(tx: Tx, now: number, account_id: number, tag_id: number): Promise<void> {
  await insertTagErasure(tx, { account_id, tag_id, created_at: now, due_at: now })
  await noteDeletedIds(tx, 'tags', [tag_id])
}

/** Takes deleted tags from records; a periodic task. Yields to other work between two batches. */
export async function eraseTags(ctx: Context): Promise<void> {
  for (const erasure of await dueTagErasures(ctx.db, ctx.now())) {
    const batch = () => ctx.db.transaction().execute((tx) => eraseBatch(tx, ctx.now(), erasure))
    while (await batch()) await setImmediate()
  }
}

/** Runs one batch of an erasure; returns whether another batch is left. */
async function eraseBatch(tx: Tx, now: number, due: TagErasureRow): Promise<boolean> {
  const erasure = await lockTagErasure(tx, due)
  if (!erasure) return false
  if ((await takeFromRecords(tx, erasure, BATCH)) > 0) return true
  const until = erasure.created_at + LATE_WRITERS_SECONDS
  await (now < until ? putOffTagErasure(tx, erasure, until) : deleteTagErasure(tx, erasure))
  return false
}
