import { type Expression, type SqlBool, sql } from 'kysely'
import { accountTimezone } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import { isOneOf, positionOf } from '../db/dialect.ts'
import type { FileRow } from '../db/tables.ts'
import { invalid, invalidChoice } from '../errors.ts'
import { listOf, partsOf, type QueryValue, textOf as wordOf } from '../http/queries/bracket-query.ts'
import { directionOf, numberOf, rangeOf, timesOf } from '../http/queries/query-values.ts'
import { datePresets, isDatePreset, presetRange } from './date-presets.ts'
import { isLonger, LONGEST } from './file-names.ts'

const MAX_VALUES = 250
const column = (name: keyof FileRow) => sql.ref(`files.${name}`)

/** The account whose files are filtered, and the present time in Unix seconds. */
export interface Asking {
  db: Db
  account_id: number
  now: number
}

/**
 * Parses `filter[…]` into conditions. Without `deleted`, it selects files that are not in the trash. Unknown keys
 * are ignored; an invalid value is refused with the name of its key (R3).
 */
export async function readFilters(
  asking: Asking,
  filter: QueryValue | undefined,
): Promise<Expression<SqlBool>[]> {
  const parts = partsOf(filter)
  const conditions = [sql<SqlBool>`${column('is_deleted')} = ${sql.lit(isOn(parts.deleted) ? 1 : 0)}`]
  for (const [name, read] of Object.entries(readers)) {
    const value = parts[name]
    if (value !== undefined) conditions.push(...((await read(asking, value)) as typeof conditions))
  }
  return conditions
}

/** The presence of the parameter counts, so an empty value is on. */
const isOn = (value: QueryValue | undefined): boolean =>
  value !== undefined && !['0', 'false'].includes(wordOf(value))

/** Turns a filter value into conditions. */
type Reader = (asking: Asking, value: QueryValue) => Expression<SqlBool>[] | Promise<Expression<SqlBool>[]>

const among =
  (name: string, target: keyof FileRow, readValue: (text: string) => string | number): Reader =>
  ({ db }, value) => {
    const values = listOf(value)
    if (values.length > MAX_VALUES)
      throw invalid(`filter.${name}`, 'TooMany', `This filter accepts at most ${MAX_VALUES} values.`)
    return [isOneOf(db, column(target), values.map(readValue))]
  }

const readers: Record<string, Reader> = {
  uuid: among('uuid', 'uuid', (text) => text.toLowerCase()),
  extensions: among('extensions', 'extension', (text) => text.toLowerCase().replace(/^\./, '')),
  created_by: among('created_by', 'created_by', (text) => numberOf('filter.created_by', text)),
  updated_by: among('updated_by', 'updated_by', (text) => numberOf('filter.updated_by', text)),
  // Matches the name with or without its extension.
  name: (_asking, value) => {
    const name = textOf('name', value)
    const isBare = sql<SqlBool>`${column('extension')} <> '' and ${column('search_name')} = cast(${name} as text) || '.' || ${column('extension')}`
    return [sql<SqlBool>`(${column('search_name')} = ${name} or (${isBare}))`]
  },
  term: ({ db }, value) => [
    sql<SqlBool>`${sql.raw(positionOf(db))}(${column('search_name')}, ${textOf('term', value)}) > 0`,
  ],
  // All files are uploads, which have no source.
  source_id: () => [sql<SqlBool>`1 = 0`],
  size: (_asking, value) => {
    const { unit } = partsOf(value)
    const bytes = typeof unit === 'string' ? Math.max(1, numberOf('filter.size.unit', unit)) : 1
    return within('size', rangeOf('size', value), bytes)
  },
  date: async ({ db, account_id, now }, value) => {
    const { type, date_preset: preset } = partsOf(value)
    if (type !== undefined && type !== 'created_at' && type !== 'updated_at')
      throw invalidChoice('filter.date.type', ['created_at', 'updated_at'])
    const target = type ?? 'created_at'
    const explicit = within(target, timesOf('date', value), 1)
    if (preset === undefined || preset === '') return explicit
    if (!isDatePreset(preset)) throw invalidChoice('filter.date.date_preset', datePresets)
    const period = presetRange(preset, await accountTimezone(db, account_id), now)
    return [...explicit, ...within(target, period, 1)]
  },
}

function within(
  target: keyof FileRow,
  range: ReturnType<typeof rangeOf>,
  unit: number,
): Expression<SqlBool>[] {
  const bound = (end: number) => Math.min(Math.max(end * unit, 0), Number.MAX_SAFE_INTEGER)
  return [
    ...(range.from === null ? [] : [sql<SqlBool>`${column(target)} >= ${bound(range.from)}`]),
    ...(range.to === null ? [] : [sql<SqlBool>`${column(target)} <= ${bound(range.to)}`]),
  ]
}

function textOf(name: string, value: QueryValue): string {
  if (typeof value !== 'string')
    throw invalid(`filter.${name}`, 'InvalidType', 'This value should be of type string.')
  if (isLonger(value, LONGEST))
    throw invalid(
      `filter.${name}`,
      'TooLong',
      `This value is too long. It should have ${LONGEST} characters or less.`,
    )
  return value.normalize('NFC').toLowerCase()
}

const orders = ['created_at', 'updated_at', 'size', 'id'] as const

export interface Order {
  column: (typeof orders)[number]
  direction: 'asc' | 'desc'
}

/** Parses `order[column]=asc|desc`: the first known column counts. */
export function readOrder(order: QueryValue | undefined): Order {
  const parts = partsOf(order)
  const known = orders.find((name) => name in parts)
  if (!known) return { column: 'id', direction: 'asc' }
  return { column: known, direction: directionOf(known, parts[known]) }
}
