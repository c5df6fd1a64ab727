import {
  excessOf,
  type FieldSet,
  type StoredValue,
  type StoredValues,
} from '../../custom-fields/custom-fields.ts'
import { type FieldType, fieldTypes } from '../../custom-fields/fields/field-types.ts'
import type { EntityRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { amountOf, roundedSum, setAmount } from '../records/amount-types.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { WorkingCopy } from '../records/working-copy.ts'

/** Columns that can be empty; the others always have a value. */
const nullableColumns = {
  leads: ['source_id'],
  contacts: [],
  companies: [],
  customers: ['next_date'],
  catalog_elements: [],
} as const satisfies Record<EntityType, (keyof EntityRow)[]>

/** Columns that are added up when customers merge. */
const summed = ['purchases_count', 'bonus_points'] as const

/** Types with any number of independent values. An address or a chained list has parts instead. */
const united: readonly FieldType[] = ['multitext', 'multiselect', 'legal_entity']

/**
 * Fills empty values of the survivor from the others in their order; its own values take precedence. Throws
 * Refusal('conflict') if the survivor would have too many.
 */
export function fillFromMerged(
  survivor: WorkingCopy,
  others: readonly WorkingCopy[],
  fields: FieldSet,
): void {
  const { row } = survivor
  for (const { row: other, values, tags } of others) {
    if (row.name === '') takeName(row, other)
    for (const column of nullableColumns[row.entity_type as EntityType])
      if (row[column] === null) Object.assign(row, { [column]: other[column] })
    for (const column of summed) {
      const sum = (row[column] ?? 0) + (other[column] ?? 0)
      if (row[column] !== null) row[column] = Math.min(sum, Number.MAX_SAFE_INTEGER)
    }
    if (row.ltv !== null) {
      const ltv = Math.min(roundedSum(amountOf(row, 'ltv') + amountOf(other, 'ltv')), Number.MAX_SAFE_INTEGER)
      setAmount(row, 'ltv', ltv)
    }
    if (other.closest_task_at !== null)
      row.closest_task_at = Math.min(row.closest_task_at ?? Number.POSITIVE_INFINITY, other.closest_task_at)
    survivor.values = unitedValues(survivor.values, values, fields)
    for (const id of tags) survivor.tags.add(id)
  }
  const excess = excessOf(survivor.values_before, survivor.values)
  if (excess !== undefined) throw new Refusal('conflict', excess)
}

function takeName(row: EntityRow, { name, first_name, last_name }: EntityRow): void {
  Object.assign(row, { name, first_name, last_name })
}

function unitedValues(own: StoredValues, others: StoredValues, fields: FieldSet): StoredValues {
  const after = { ...own }
  for (const [id, values] of Object.entries(others)) {
    const type = fields.byId.get(Number(id))?.type
    const own = after[id]
    if (!type) continue
    if (!own) after[id] = values
    else if (united.includes(type)) after[id] = unite(own, values).slice(0, fieldTypes[type].most)
  }
  return after
}

function unite(own: StoredValue[], values: StoredValue[]): StoredValue[] {
  const known = new Set(own.map(identity))
  const fresh = values.filter((value) => !known.has(identity(value)))
  return fresh.length > 0 ? [...own, ...fresh] : own
}

/** Equal telephone numbers are duplicates even with different labels. */
const identity = (value: StoredValue): string =>
  Array.isArray(value) ? String(value[0]).trim().toLowerCase() : JSON.stringify(value)
