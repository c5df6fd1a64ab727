import { type FieldFilter, type FieldSet, readFieldFilters } from '../custom-fields/custom-fields.ts'
import type { EntityRow } from '../db/tables.ts'
import { invalid } from '../errors.ts'
import { listOf, type QueryValue } from '../http/bracket-query.ts'
import { numberOf, rangeOf } from '../http/query-values.ts'
import type { EntityType } from './entity-types.ts'

/** The parsed `filter` of a list: values and ranges of columns. */
export interface Filters {
  values: { column: keyof EntityRow; values: (number | string)[] }[]
  ranges: { column: keyof EntityRow; from: number | null; to: number | null }[]
  /** Any of these stages. */
  statuses: { pipeline_id: number; status_id: number }[]
  /** Any of these tags. */
  tags: number[]
  /** Any of these segments of customers. */
  segments: number[]
  fields: FieldFilter[]
}

type Form = 'ids' | 'texts' | 'number' | 'time'

const people = { responsible_user_id: 'ids', created_by: 'ids', updated_by: 'ids' } as const
const times = { created_at: 'time', updated_at: 'time', closest_task_at: 'time' } as const
const everywhere = { id: 'ids', name: 'texts', ...people, ...times } as const

/** The filterable columns of each kind, and their formats. */
const columns: Record<EntityType, Partial<Record<keyof EntityRow, Form>>> = {
  leads: { ...everywhere, price: 'number', pipeline_id: 'ids', closed_at: 'time', loss_reason_id: 'ids' },
  contacts: everywhere,
  companies: everywhere,
  customers: { ...everywhere, next_price: 'number', next_date: 'time', status_id: 'ids' },
  catalog_elements: everywhere,
}

const MAX_VALUES = 250

/** Parses `filter[…]`. Unknown keys are ignored (V2); an invalid value is refused with the name of its key. */
export function readFilters(type: EntityType, filter: QueryValue | undefined, fields: FieldSet): Filters {
  const read: Filters = { values: [], ranges: [], statuses: [], tags: [], segments: [], fields: [] }
  if (typeof filter !== 'object' || Array.isArray(filter)) return read
  for (const [name, form] of Object.entries(columns[type]) as [keyof EntityRow, Form][]) {
    const value = filter[name]
    if (value === undefined) continue
    if (form === 'time' || (form === 'number' && isRange(value))) {
      const range = rangeOf(name, value)
      // A range without ends is no condition.
      if (range.from !== null || range.to !== null) read.ranges.push({ column: name, ...range })
    } else
      read.values.push({
        column: name,
        values: form === 'texts' ? textsOf(name, value) : numbersOf(name, value),
      })
  }
  if (type === 'leads') read.statuses = stagesOf(filter.statuses)
  // List elements have no tags.
  if (type !== 'catalog_elements') readLabels(read, 'tags', filter.tags)
  if (type === 'customers') readLabels(read, 'segments', filter.segments)
  read.fields = readFieldFilters(fields, filter.custom_fields_values)
  return read
}

/** Reads a filter by tags or segments. An empty one selects nothing, like the empty filter of a column. */
function readLabels(read: Filters, name: 'tags' | 'segments', value: QueryValue | undefined): void {
  if (value === undefined) return
  read[name] = numbersOf(name, value)
  if (read[name].length === 0) read.values.push({ column: 'id', values: [] })
}

const isRange = (value: QueryValue): boolean =>
  typeof value === 'object' && !Array.isArray(value) && ('from' in value || 'to' in value)

function numbersOf(name: string, value: QueryValue): number[] {
  return bounded(name, listOf(value)).map((text) => numberOf(`filter.${name}`, text))
}

const textsOf = (name: string, value: QueryValue): string[] =>
  // A comma is part of a name, so only arrays are lists here.
  bounded(
    name,
    typeof value === 'string' ? [value] : Object.values(value).filter((item) => typeof item === 'string'),
  )

function bounded(name: string, values: string[]): string[] {
  if (values.length > MAX_VALUES)
    throw invalid(`filter.${name}`, 'TooMany', `This filter accepts at most ${MAX_VALUES} values.`)
  return values
}

function stagesOf(value: QueryValue | undefined): Filters['statuses'] {
  if (value === undefined) return []
  if (typeof value !== 'object')
    throw invalid(
      'filter.statuses',
      'InvalidType',
      'Stages must have the form [n][pipeline_id] and [n][status_id].',
    )
  const pairs = Object.values(value)
  if (pairs.length > 100)
    throw invalid('filter.statuses', 'TooMany', 'This filter accepts at most 100 stages.')
  return pairs.map((pair, i) => {
    const { pipeline_id, status_id } = typeof pair === 'object' && !Array.isArray(pair) ? pair : {}
    if (typeof pipeline_id !== 'string' || typeof status_id !== 'string')
      throw invalid(`filter.statuses.${i}`, 'FieldMissing', 'A stage requires pipeline_id and status_id.')
    return {
      pipeline_id: numberOf(`filter.statuses.${i}.pipeline_id`, pipeline_id),
      status_id: numberOf(`filter.statuses.${i}.status_id`, status_id),
    }
  })
}
