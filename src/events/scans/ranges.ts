import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isOneOf, sortKey, withoutIndex } from '../../db/dialect.ts'
import type { EventRow } from '../../db/tables.ts'

/** The parts of a scan of the log: ranges of indexes, and conditions on rows. */
export type Condition = Expression<SqlBool>

/** A range of one index that yields ids in order. */
export interface IndexRange {
  from: RawBuilder<unknown>
  id: RawBuilder<unknown>
  /** The id as the order of rows that are sorted, if the index has them in another order. */
  sorted?: RawBuilder<unknown>
  conditions: Condition[]
}

export const column = (name: keyof EventRow) => sql.ref(`events.${name}`)
export const equals = (name: keyof EventRow, value: number | string): Condition =>
  sql<SqlBool>`${column(name)} = ${value}`
export const all = (conditions: Condition[]) => sql.join(conditions, sql` and `)

export const ofEvents = (account_id: number, conditions: Condition[][]): IndexRange[] =>
  conditions.map((own) => ({
    from: sql`events`,
    id: column('id'),
    conditions: [equals('account_id', account_id), ...own],
  }))

/** One filter: as ranges of its own index, and as a condition on rows that another index finds. */
export interface Part {
  ranges(): IndexRange[]
  condition(): Condition
  /** The columns of the condition besides the id. */
  tested: readonly (keyof EventRow)[]
}

export const isAmong = (db: Db, name: keyof EventRow, values: readonly (number | string)[]): Condition =>
  sql<SqlBool>`${withoutIndex(db, column(name))} in (${sql.join(values)})`

export interface Card {
  entity_type: string
  ids: number[]
}

/** Records of a kind; null for the whole kind. */
export interface Subject {
  entity_type: string
  ids: number[] | null
}

/** The events of the records, by events_by_entity, and the events that refer to their card, by events_by_card. */
export function ofCard(account_id: number, { entity_type, ids }: Card): Part {
  const conditions = ids.flatMap((id) => [
    [equals('entity_type', entity_type), equals('entity_id', id)],
    [equals('card_id', id)],
  ])
  return {
    ranges: () => ofEvents(account_id, conditions),
    condition: () => sql<SqlBool>`(${sql.join(conditions.map(all), sql` or `)})`,
    tested: ['entity_type', 'entity_id', 'card_id'],
  }
}

/**
 * The events of a few records by events_by_entity, sorted; and those of whole kinds by events_by_kind. In the order of ids, the
 * planner could read a whole kind for the records too.
 */
export function ofSubjects(db: Db, account_id: number, subjects: Subject[]): Part {
  const conditions = subjects.map(({ entity_type, ids }) => [
    equals('entity_type', entity_type),
    ...(ids ? [isOneOf(db, column('entity_id'), ids)] : []),
  ])
  const sorted = sortKey(db, column('id'), 'text')
  return {
    ranges: () =>
      ofEvents(account_id, conditions).map((range, i) => (subjects[i]?.ids ? { ...range, sorted } : range)),
    condition: () => sql<SqlBool>`(${sql.join(conditions.map(all), sql` or `)})`,
    tested: ['entity_type', 'entity_id'],
  }
}
