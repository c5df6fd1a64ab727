import { type Expression, type SqlBool, sql } from 'kysely'
import type { OfIntegrations } from '../../accounts/accounts.ts'
import type { FieldSet } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import type { QueryValue } from '../../http/queries/bracket-query.ts'
import { findStages, type StageOfPipeline } from '../../pipelines/pipelines.ts'
import { accessCondition, coveredPeople, coversNothing } from '../records/access.ts'
import type { EntityType } from '../records/entity-types.ts'
import { searchedWords } from '../records/search.ts'
import { type Filters, type NamedStage, readFilters, readStages } from './filters.ts'
import { narrowingsOf, plainConditions } from './narrowings.ts'
import type { RecordFilter, RecordList } from './record-list.ts'

export interface ListQuery extends OfIntegrations {
  filter?: QueryValue
  order?: QueryValue
  query?: QueryValue
  /** Any of these stages of leads, of which the account can have more than a filter accepts. */
  stages?: readonly NamedStage[]
}

/**
 * Parses a query. Returns null if its search text has no words: the result must then be empty instead of
 * everything.
 */
export async function readRecordFilter(
  db: Db,
  account_id: number,
  type: EntityType,
  { filter, query, integrations, stages = [] }: ListQuery,
  fields: FieldSet,
): Promise<RecordFilter | null> {
  const filters = readFilters(type, filter, fields)
  if (type === 'leads')
    filters.statuses = await inPipelines(db, account_id, [...readStages(filter), ...stages])
  if (integrations) filters.values.push({ column: 'created_by_integration', values: [...integrations] })
  const words = typeof query === 'string' ? searchedWords(query) : []
  return words.length === 0 && typeof query === 'string' && query !== '' ? null : { filters, words }
}

/** The stages in each of their pipelines: won and lost are in all of them. A stage that does not exist matches nothing. */
async function inPipelines(
  db: Db,
  account_id: number,
  named: readonly NamedStage[],
): Promise<StageOfPipeline[]> {
  if (named.every(({ pipeline_id }) => pipeline_id !== null)) return named as StageOfPipeline[]
  const stages = await findStages(db, account_id)
  const found = named.flatMap(({ pipeline_id, status_id }) => {
    const pipelines =
      pipeline_id === null ? stages.pipelines.filter((id) => stages.has(id, status_id)) : [pipeline_id]
    return (pipelines.length > 0 ? pipelines : [0]).map((id) => ({ pipeline_id: id, status_id }))
  })
  return [...new Map(found.map((one) => [`${one.pipeline_id} ${one.status_id}`, one])).values()]
}

/**
 * Moves the rights that depend on the responsible user alone into the filter. People have an index, so the records that a
 * person can see are then found like those of the people in a filter.
 */
export function withCoveredPeople<Filter extends RecordFilter>(
  list: RecordList,
  filter: Filter,
): { list: RecordList; filter: Filter } {
  const { access, type, rights = ['view'] } = list
  const covered = new Map(rights.map((right) => [right, coveredPeople(access, right, type)]))
  const people = [...covered.values()].filter((some) => some !== null)
  if (people.length === 0) return { list, filter }
  const column = 'responsible_user_id'
  const { values } = filter.filters
  const asked = values.filter((one) => one.column === column).map((one) => one.values as number[])
  const [first = [], ...others] = [...asked, ...people]
  const both = first.filter((one) => others.every((some) => some.includes(one)))
  const rest = values.filter((one) => one.column !== column)
  return {
    list: { ...list, rights: rights.filter((right) => covered.get(right) === null) },
    filter: { ...filter, filters: { ...filter.filters, values: [...rest, { column, values: both }] } },
  }
}

/** Kinds with records that no list shows until an incoming lead is accepted. */
const hidden: readonly EntityType[] = ['contacts', 'companies']

/** The conditions on rows of `entities` of one kind. Each part of the filter is found by its own index. */
export const conditionsOf = (list: RecordList, filter: RecordFilter): Expression<SqlBool>[] => [
  ...otherConditions(list, filter),
  ...narrowingsOf(list, filter).map(({ byIndex }) => byIndex),
]

/** Whether a right of the list covers no record, so that nothing is read. */
export const isHidden = ({ access, type, catalog_id, rights = ['view'] }: RecordList): boolean =>
  rights.some((right) => coversNothing(access, right, type, catalog_id ?? null))

/** Whether rows of the kind must be checked for conditions that have no index, so that many can be read for one that matches. */
export const hasUnindexed = (
  { db, access, type, rights = ['view'] }: RecordList,
  { filters }: RecordFilter,
): boolean =>
  plainConditions(db, filters).length > 0 || rights.some((right) => accessCondition(access, right, type))

/** The same without the parts of the filter that have an index. */
export function otherConditions(list: RecordList, { filters }: RecordFilter): Expression<SqlBool>[] {
  const { db, access, type, rights = ['view'] } = list
  return [
    ...listedRecords(type, list, filters),
    ...rights.flatMap((right) => accessCondition(access, right, type) ?? []),
    ...plainConditions(db, filters),
  ]
}

/** The conditions of a list before its filter and the rights of its reader. */
export function listedRecords(
  type: EntityType,
  { catalog_id, in_trash }: Pick<RecordList, 'catalog_id' | 'in_trash'>,
  filters?: Filters,
): Expression<SqlBool>[] {
  const column = (name: string) => sql.ref(`entities.${name}`)
  const isByIds = filters?.values.some(({ column }) => column === 'id')
  return [
    in_trash
      ? sql<SqlBool>`${column('merged_into')} is null`
      : sql<SqlBool>`${column('is_deleted')} = ${sql.lit(0)}`,
    // The people of incoming leads (I2). A list by ids shows them, as their cards do.
    ...(hidden.includes(type) && !isByIds ? [sql<SqlBool>`${column('is_unsorted')} = ${sql.lit(0)}`] : []),
    ...(catalog_id === undefined ? [] : [sql<SqlBool>`${column('catalog_id')} = ${catalog_id}`]),
  ]
}
