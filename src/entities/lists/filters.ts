import { type FieldFilter, type FieldSet, readFieldFilters } from '../../custom-fields/custom-fields.ts'
import type { EntityRow } from '../../db/tables.ts'
import { invalid, invalidChoice } from '../../errors.ts'
import { listOf, partsOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import { numberOf, rangeOf, timesOf } from '../../http/queries/query-values.ts'
import type { StageOfPipeline } from '../../pipelines/pipelines.ts'
import type { EntityType } from '../records/entity-types.ts'

/** A stage as a filter names it; without a pipeline, it is that of every pipeline that has it. */
export interface NamedStage {
  pipeline_id: number | null
  status_id: number
}

/** The parsed `filter` of a list: values and ranges of columns. */
export interface Filters {
  /** Any of the values; null: the column is empty. */
  values: { column: keyof EntityRow; values: (number | string)[] | null }[]
  ranges: { column: keyof EntityRow; from: number | null; to: number | null }[]
  /** Any of these stages. */
  statuses: StageOfPipeline[]
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

/**
 * Parses `filter[…]` without the stages of leads (`readStages`). Unknown keys are ignored (V2); an invalid value is refused
 * with the name of its key.
 */
export function readFilters(type: EntityType, filter: QueryValue | undefined, fields: FieldSet): Filters {
  const read: Filters = { values: [], ranges: [], statuses: [], tags: [], segments: [], fields: [] }
  if (typeof filter !== 'object' || Array.isArray(filter)) return read
  for (const [name, form] of Object.entries(columns[type]) as [keyof EntityRow, Form][]) {
    const value = filter[name]
    if (value === undefined) continue
    if (form === 'time' || (form === 'number' && isRange(value))) {
      // Prices are compared without their fractions (R24), as the ends of the range are read.
      const range = form === 'time' ? timesOf(name, value) : rangeOf(name, value)
      // A range without ends is no condition.
      if (range.from !== null || range.to !== null) read.ranges.push({ column: name, ...range })
    } else
      read.values.push({
        column: name,
        values: form === 'texts' ? textsOf(name, value) : numbersOf(name, value),
      })
  }
  // List elements have no tags.
  if (type !== 'catalog_elements') readLabels(read, 'tags', filter.tags)
  if (type === 'customers') readLabels(read, 'segments', filter.segments)
  if (type === 'leads') readTasks(read, textOf(filter.tasks))
  read.fields = readFieldFilters(fields, filter.custom_fields_values)
  return read
}

/** Reads a filter by tags or segments. An empty one selects nothing, like the empty filter of a column. */
function readLabels(read: Filters, name: 'tags' | 'segments', value: QueryValue | undefined): void {
  if (value === undefined) return
  read[name] = numbersOf(name, value)
  if (read[name].length === 0) read.values.push({ column: 'id', values: [] })
}

/** Reads `filter[tasks]`: leads without open tasks (1), or with some (2). */
function readTasks(read: Filters, choice: string): void {
  const column = 'closest_task_at'
  if (choice === '1') read.values.push({ column, values: null })
  else if (choice === '2') read.ranges.push({ column, from: 0, to: null })
  else if (choice !== '') throw invalidChoice('filter.tasks', ['1', '2'])
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

const MAX_STAGES = 100

/**
 * Parses `filter[statuses]` or a filter with another name: stages of pipelines, or stages alone, of which one or several are
 * named. A stage alone can also be a plain id.
 */
export function readStages(filter: QueryValue | undefined, name = 'statuses'): NamedStage[] {
  const value = partsOf(filter)[name]
  if (value === undefined) return []
  const path = `filter.${name}`
  const stages =
    typeof value === 'object'
      ? Object.values(value).flatMap((pair, i) => stagesIn(pair, `${path}.${i}`))
      : stagesAlone(listOf(value), path)
  if (stages.length > MAX_STAGES)
    throw invalid(path, 'TooMany', `This filter accepts at most ${MAX_STAGES} stages.`)
  return stages
}

/** Pairs that a client writes as `[][pipeline_id]` and `[][status_id]` arrive as two lists of the same length. */
function stagesIn(pair: QueryValue, path: string): NamedStage[] {
  if (typeof pair === 'string') return stagesAlone(listOf(pair), path)
  const { pipeline_id, status_id } = partsOf(pair)
  const alone = stagesAlone(listOf(status_id), `${path}.status_id`)
  const pipelines = listOf(pipeline_id).map((id) => numberOf(`${path}.pipeline_id`, id))
  if (pipelines.length > 1 && pipelines.length !== alone.length)
    throw invalid(`${path}.pipeline_id`, 'InvalidType', 'Each stage must have one pipeline.')
  return alone.map((stage, i) => ({ ...stage, pipeline_id: pipelines[i] ?? pipelines[0] ?? null }))
}

function stagesAlone(ids: readonly string[], path: string): NamedStage[] {
  if (ids.length === 0) throw invalid(path, 'FieldMissing', 'This field is missing.')
  return ids.map((id) => ({ pipeline_id: null, status_id: numberOf(path, id) }))
}
