import { invalid, invalidChoice } from '../errors.ts'
import { listOf, partsOf, type QueryValue, textOf } from '../http/queries/bracket-query.ts'
import { directionOf, numberOf, type Range, timesAfter } from '../http/queries/query-values.ts'
import { isFilteredNoteType, knownNoteTypes } from './note-types.ts'

const MAX_VALUES = 250

/** A list's parsed `filter`. A null member does not restrict the list. */
export interface Filters {
  ids: number[] | null
  entity_ids: number[] | null
  note_types: string[] | null
  is_pinned: boolean | null
  updated_at: Range
}

/** Parses `filter[…]`. Unknown keys are ignored (V2). An invalid value is refused with its path. */
export function readFilters(filter: QueryValue | undefined): Filters {
  const parts = partsOf(filter)
  return {
    ids: idsOf('id', parts.id),
    entity_ids: idsOf('entity_id', parts.entity_id),
    note_types: typesOf(parts.note_type),
    is_pinned: flagOf('is_pinned', parts.is_pinned),
    updated_at:
      parts.updated_at === undefined ? { from: null, to: null } : timesAfter('updated_at', parts.updated_at),
  }
}

export const isEmpty = ({ updated_at, ...others }: Filters): boolean =>
  [...Object.values(others), updated_at.from, updated_at.to].every((value) => value === null)

function idsOf(name: string, value: QueryValue | undefined): number[] | null {
  if (value === undefined) return null
  return [...new Set(bounded(name, value).map((text) => numberOf(`filter.${name}`, text)))]
}

function typesOf(value: QueryValue | undefined): string[] | null {
  if (value === undefined) return null
  const names = bounded('note_type', value)
  if (!names.every(isFilteredNoteType)) throw invalidChoice('filter.note_type', knownNoteTypes)
  return [...new Set(names)]
}

function flagOf(name: string, value: QueryValue | undefined): boolean | null {
  if (value === undefined) return null
  const text = textOf(value)
  if (text !== '0' && text !== '1') throw invalidChoice(`filter.${name}`, ['0', '1'])
  return text === '1'
}

function bounded(name: string, value: QueryValue): string[] {
  const values = listOf(value)
  if (values.length > MAX_VALUES)
    throw invalid(`filter.${name}`, 'TooMany', `This filter accepts at most ${MAX_VALUES} values.`)
  return values
}

const orders = ['updated_at', 'id'] as const

export interface Order {
  column: (typeof orders)[number]
  direction: 'asc' | 'desc'
}

/**
 * Parses `order[column]=asc|desc`: the first known column. The default is the order of ids, or of the times in the
 * filter: then recent changes are found without scanning older ones.
 */
export function readOrder(order: QueryValue | undefined, { updated_at }: Filters): Order {
  const isByTime = updated_at.from !== null || updated_at.to !== null
  const usual: Order = { column: isByTime ? 'updated_at' : 'id', direction: 'asc' }
  if (typeof order !== 'object' || Array.isArray(order)) return usual
  const column = Object.keys(order).find((name): name is Order['column'] =>
    (orders as readonly string[]).includes(name),
  )
  if (!column) return usual
  return { column, direction: directionOf(column, order[column]) }
}
