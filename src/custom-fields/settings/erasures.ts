import type { Db, Tx } from '../../db/database.ts'
import { nextIds, noteDeletedIds } from '../../db/dialect.ts'
import type { CustomFieldRow, ValueErasureRow } from '../../db/tables.ts'
import { type Field, fieldOf } from '../fields/fields.ts'
import { enumKey, type StoredValue } from '../fields/value-kinds.ts'
import { deleteKeys, writeValues } from '../values/value-queries.ts'
import { storedValuesOf } from '../values/value-store.ts'
import type { StoredValues } from '../values/written-values.ts'
import {
  deleteErasure,
  dueErasures,
  insertErasures,
  keysOfField,
  lockErasure,
  putOffErasure,
} from './erasure-queries.ts'

/**
 * A deleted field or choice disappears from every response at once, because responses show only existing fields and
 * choices. The values stored in records are erased afterwards: a field of a million records needs a million writes,
 * and one transaction of that size would block everyone else. An erasure is queued in the transaction of the
 * deletion and done in batches with a transaction each, so that it continues after a crash.
 */
const BATCH = 250
/**
 * A transaction that read the fields before the deletion can still store a value. So an erasure that finds nothing
 * more runs once again after every such transaction has ended.
 */
const LATE_WRITERS_SECONDS = 60

/** Queues the erasure of all values of these fields. Their ids are noted: a restored server must not assign them again. */
export async function eraseFields(tx: Tx, now: number, rows: CustomFieldRow[]): Promise<void> {
  await queue(
    tx,
    now,
    rows.map((row) => ({ row, enum_ids: null })),
  )
  const ids = rows.map(({ id }) => id)
  await noteDeletedIds(tx, 'custom_fields', ids)
}

/** Queues the erasure of these choices of a field. */
export function eraseChoices(tx: Tx, now: number, row: CustomFieldRow, enum_ids: number[]): Promise<void> {
  return queue(tx, now, [{ row, enum_ids }])
}

async function queue(
  tx: Tx,
  now: number,
  erased: { row: CustomFieldRow; enum_ids: number[] | null }[],
): Promise<void> {
  const ids = await nextIds(tx, 'value_erasures', erased.length)
  const rows = erased.map(({ row, enum_ids }, i) => ({
    account_id: row.account_id,
    id: ids[i] as number,
    field: JSON.stringify(row),
    enum_ids: enum_ids && JSON.stringify(enum_ids),
    created_at: now,
    due_at: now,
  }))
  await insertErasures(tx, rows)
}

/** Due erasures of any account, oldest first. */
export const listDueErasures = (db: Db, now: number): Promise<ValueErasureRow[]> => dueErasures(db, now)

/** The values erased from one record. */
export interface Erased {
  entity_id: number
  /** The record's name. */
  name: string
  before: StoredValues
  after: StoredValues
}

/** Hooks for records, which are above this slice. */
export interface ErasureHooks {
  /** Locks the records like their writers do, before their values are read. Returns their names by id. */
  lock(tx: Tx, field: Field, ids: number[]): Promise<Map<number, string>>
  /** Deletes the search words of the erased values. */
  deleteSearchWords(tx: Tx, field: Field, erased: Erased[]): Promise<void>
}

/** Runs one batch of an erasure; returns whether another batch is left. */
export async function eraseBatch(
  tx: Tx,
  now: number,
  { account_id, id }: Pick<ValueErasureRow, 'account_id' | 'id'>,
  hooks: ErasureHooks,
): Promise<boolean> {
  const erasure = await lockErasure(tx, account_id, id)
  // Done, or locked by another process.
  if (!erasure) return false
  const field = fieldOf(JSON.parse(erasure.field))
  const enum_ids = erasure.enum_ids === null ? null : (JSON.parse(erasure.enum_ids) as number[])
  const keys = await keysOfField(tx, account_id, field.id, enum_ids?.map(enumKey) ?? null, BATCH)
  if (keys.length === 0) {
    const until = erasure.created_at + LATE_WRITERS_SECONDS
    await (now < until ? putOffErasure(tx, erasure, until) : deleteErasure(tx, erasure))
    return false
  }
  const ids = [...new Set(keys.map(({ entity_id }) => entity_id))].sort((a, b) => a - b)
  const names = await hooks.lock(tx, field, ids)
  const stored = await storedValuesOf(tx, account_id, ids)
  const erased = ids.flatMap((entity_id): Erased[] => {
    const before = stored.get(entity_id) ?? {}
    if (!before[field.id]) return []
    const name = names.get(entity_id) ?? ''
    return [{ entity_id, name, before, after: without(before, field.id, enum_ids) }]
  })
  await writeValues(
    tx,
    erased.map(({ entity_id, after }) => ({ account_id, entity_id, field_values: JSON.stringify(after) })),
  )
  await deleteKeys(tx, keys)
  if (enum_ids === null) await hooks.deleteSearchWords(tx, field, erased)
  return true
}

/** Removes the values of a field, or some of its choices. */
function without(values: StoredValues, field_id: number, enum_ids: number[] | null): StoredValues {
  const { [field_id]: own = [], ...others } = values
  const gone = new Set<StoredValue>(enum_ids ?? [])
  const left = enum_ids === null ? [] : own.filter((value) => !gone.has(value))
  return left.length > 0 ? { ...others, [field_id]: left } : others
}
