import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { holdsWords } from '../db/words.ts'
import { type Access, isLeadInStages, readStages } from '../entities/entities.ts'
import { invalid, invalidChoice } from '../errors.ts'
import { listOf, type QueryValue, textOf } from '../http/queries/bracket-query.ts'
import { directionOf, numberOf, timesOf } from '../http/queries/query-values.ts'
import { parentTypes } from './schemas.ts'
import { completedValues, idFilters, taskOrders, timeFilters } from './task-filter.ts'
import { seesAllParents, visibleParent } from './task-rights.ts'

const MAX_VALUES = 250

const choices = {
  entity_type: Object.fromEntries(parentTypes.map((type) => [type, type])),
  is_completed: completedValues,
} as const satisfies Record<string, Record<string, number | string>>

/** A parsed filter of tasks. */
export interface TaskFilter {
  /** All conditions but those on the responsible user. */
  conditions: Expression<SqlBool>[]
  /** The responsible users; null without this filter. */
  people: number[] | null
  /** Whether it names tasks or records by their ids, so that it finds few. */
  isNarrow: boolean
  /** Whether it selects the completed tasks, or the open ones; null for both. */
  isCompleted: boolean | null
}

/** Parses `filter[…]`. Unknown keys are ignored (V2). An invalid value is refused with its path. */
export function readFilters(db: Db, access: Access, filter: QueryValue | undefined): TaskFilter {
  const read: TaskFilter = { conditions: [], people: null, isNarrow: false, isCompleted: null }
  if (typeof filter !== 'object' || Array.isArray(filter)) return read
  const column = (name: string) => sql.ref(`tasks.${name}`)
  const { conditions } = read
  for (const [name, target] of Object.entries(idFilters)) {
    const value = filter[name]
    if (value === undefined) continue
    const ids = bounded(name, value).map((text) => numberOf(`filter.${name}`, text))
    if (target === 'responsible_user_id') read.people = ids
    else conditions.push(among(db, column(target), ids))
    read.isNarrow ||= target === 'id' || target === 'entity_id'
  }
  for (const name of Object.keys(choices) as (keyof typeof choices)[]) {
    const value = filter[name]
    if (value === undefined) continue
    const values = chosen(name, value)
    if (name === 'is_completed' && values.length === 1) {
      read.isCompleted = values[0] === 1
      conditions.push(isInState(read.isCompleted))
    } else conditions.push(among(db, column(name), values))
  }
  const stages = readStages(filter, 'lead_statuses')
  if (stages.length > 0)
    conditions.push(isLeadInStages(db, access.actor.account_id, stages, 'tasks.entity_id'))
  // A filter by record must not find tasks through a hidden record. Ids are unique across kinds, so `entity_id` alone,
  // as some clients send it, also identifies a record.
  const isAboutRecords =
    filter.entity_type !== undefined || filter.entity_id !== undefined || stages.length > 0
  if (isAboutRecords && !seesAllParents(access)) conditions.push(visibleParent(db, access))
  conditions.push(...holdsWords(db, column('text'), textOf(filter.text)))
  for (const name of timeFilters) {
    const value = filter[name]
    if (value === undefined) continue
    const { from, to } = timesOf(name, value)
    if (from !== null) conditions.push(sql<SqlBool>`${column(name)} >= ${from}`)
    if (to !== null) conditions.push(sql<SqlBool>`${column(name)} <= ${to}`)
  }
  return read
}

/** Literals, because an index has the open tasks only. */
const isInState = (isCompleted: boolean): Expression<SqlBool> =>
  sql<SqlBool>`tasks.is_completed = ${sql.lit(Number(isCompleted))}`

/** A single value is compared directly, so that its index also yields the order of the following column. */
function among(db: Db, column: Expression<unknown>, values: (number | string)[]): Expression<SqlBool> {
  return values.length === 1 ? sql<SqlBool>`${column} = ${values[0]}` : isOneOf(db, column, values)
}

function bounded(name: string, value: QueryValue): string[] {
  const values = listOf(value)
  if (values.length > MAX_VALUES)
    throw invalid(`filter.${name}`, 'TooMany', `This filter accepts at most ${MAX_VALUES} values.`)
  return values
}

function chosen(name: keyof typeof choices, value: QueryValue): (number | string)[] {
  const known: Record<string, number | string> = choices[name]
  return bounded(name, value).map((text) => {
    if (!Object.hasOwn(known, text)) throw invalidChoice(`filter.${name}`, Object.keys(known))
    return known[text] as number | string
  })
}

export interface Order {
  column: (typeof taskOrders)[number]
  direction: 'asc' | 'desc'
}

/** Parses `order[column]=asc|desc`: the first known column. */
export function readOrder(order: QueryValue | undefined): Order {
  if (typeof order !== 'object' || Array.isArray(order)) return { column: 'id', direction: 'asc' }
  const column = Object.keys(order).find((name): name is Order['column'] =>
    (taskOrders as readonly string[]).includes(name),
  )
  if (!column) return { column: 'id', direction: 'asc' }
  return { column, direction: directionOf(column, order[column]) }
}
