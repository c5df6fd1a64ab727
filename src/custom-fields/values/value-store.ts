import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../../db/database.ts'
import type { FieldKeyRow } from '../../db/tables.ts'
import { forEachFairly } from '../../fair-turns.ts'
import { valueKindOf } from '../fields/field-values.ts'
import type { Field, FieldSet } from '../fields/fields.ts'
import { deleteKeys, type FieldFilter, insertKeys, valuesOfEntities, writeValues } from './value-queries.ts'
import { parseStored } from './value-views.ts'
import type { StoredValues } from './written-values.ts'

/** Writes values and their search keys: one statement per table for the whole batch, and only differences. */
export async function saveValues(
  tx: Tx,
  account_id: number,
  fields: FieldSet,
  changed: { entity_id: number; before: StoredValues; after: StoredValues }[],
): Promise<void> {
  // Sorted by id, so that two batches of the same records cannot deadlock.
  const differing: typeof changed = []
  await forEachFairly(changed, (one) => {
    if (!isDeepStrictEqual(one.before, one.after)) differing.push(one)
  })
  differing.sort((a, b) => a.entity_id - b.entity_id)
  if (differing.length === 0) return
  await writeValues(
    tx,
    differing.map(({ entity_id, after }) => ({ account_id, entity_id, field_values: JSON.stringify(after) })),
  )
  const gone: FieldKeyRow[] = []
  const added: FieldKeyRow[] = []
  await forEachFairly(differing, ({ entity_id, before, after }) => {
    for (const [field_id, had, has] of changedKeys(fields, before, after)) {
      const row = (key: string): FieldKeyRow => ({ account_id, field_id, key, entity_id })
      gone.push(...[...had.difference(has)].map(row))
      added.push(...[...has.difference(had)].map(row))
    }
  })
  await deleteKeys(tx, gone)
  await insertKeys(tx, added)
}

function changedKeys(
  fields: FieldSet,
  before: StoredValues,
  after: StoredValues,
): [field_id: number, had: Set<string>, has: Set<string>][] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)].map(Number))
  return [...ids].flatMap((id): [number, Set<string>, Set<string>][] => {
    const field = fields.byId.get(id)
    if (!field || isDeepStrictEqual(before[id], after[id])) return []
    return [[id, keysOf(field, before[id]), keysOf(field, after[id])]]
  })
}

const keysOf = ({ type }: Field, values: StoredValues[string] = []): Set<string> =>
  new Set(values.flatMap((value) => valueKindOf(type).keys(value)))

/** Whether stored values match a filter, as `filteredIds` finds them. */
export function matchesFilter(
  fields: FieldSet,
  values: StoredValues,
  { field_id, keys, from, to }: FieldFilter,
): boolean {
  const field = fields.byId.get(field_id)
  const own = field ? [...keysOf(field, values[field_id])] : []
  return own.some(
    (key) =>
      (keys === null || keys.includes(key)) && (from === null || key >= from) && (to === null || key <= to),
  )
}

export async function storedValuesOf(
  db: Db,
  account_id: number,
  entity_ids: number[],
): Promise<Map<number, StoredValues>> {
  if (entity_ids.length === 0) return new Map()
  const rows = await valuesOfEntities(db, { account_id, entity_ids })
  return new Map(rows.map(({ entity_id, field_values }) => [entity_id, parseStored(field_values)]))
}
