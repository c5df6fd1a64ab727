import { findMembers, userNames } from '../../accounts/accounts.ts'
import { type FieldSet, fieldTexts, parseStored } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import type { Language } from '../../events/event-types.ts'
import { csvLine, type Delimiter, decimalText } from '../../http/bodies/csv.ts'
import type { TableTimes } from '../../http/bodies/table-times.ts'
import { findStageTitles, knownLossReasons, type StageTitles } from '../../pipelines/pipelines.ts'
import { amountOf } from '../records/amount-types.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { tagsOfEntities } from '../tags/tag-queries.ts'
import { headingOf } from './headings.ts'

/** How a table is written. */
export interface Table {
  type: EntityType
  delimiter: Delimiter
  /** The language of the column names; null for the names of the API. */
  headings: Language | null
  times: TableTimes
}

/** Names for the ids in the rows of a table. */
interface Names {
  people: ReadonlyMap<number, string>
  stages: StageTitles
  loss_reasons: ReadonlyMap<number, { name: string }>
  tags: ReadonlyMap<number, string>
}

type Cell<Column extends keyof ListedEntity> = (
  row: Pick<ListedEntity, Column>,
  names: Names,
  times: TableTimes,
) => string | number | null

type Cells<T extends EntityType> = Record<string, Cell<keyof ListedEntity<T>>>

/** The columns with moments. */
const moments = ['created_at', 'updated_at', 'closed_at', 'next_date'] as const

const time =
  <Column extends (typeof moments)[number]>(column: Column): Cell<Column> =>
  (row, _names, times) => {
    const seconds: number | null = row[column]
    return seconds === null ? '' : times.text(seconds)
  }

const person =
  <Column extends 'responsible_user_id' | 'created_by' | 'updated_by'>(column: Column): Cell<Column> =>
  (row, { people }) =>
    people.get(row[column]) ?? ''

const stage: Cell<'pipeline_id' | 'status_id'> = ({ pipeline_id, status_id }, { stages }) =>
  stages.stage(pipeline_id, status_id)
const always: Record<string, Cell<'id' | 'name'>> = { id: ({ id }) => id, name: ({ name }) => name }
const responsible: Record<string, Cell<'responsible_user_id'>> = {
  responsible_user: person('responsible_user_id'),
}
const tags: Record<string, Cell<'id'>> = { tags: ({ id }, names) => names.tags.get(id) ?? '' }
const history: Record<string, Cell<'created_at' | 'created_by' | 'updated_at' | 'updated_by'>> = {
  created_at: time('created_at'),
  created_by: person('created_by'),
  updated_at: time('updated_at'),
  updated_by: person('updated_by'),
}

/** The columns before the fields, by kind: headed by their API names, with names instead of ids. */
const columns: { [T in EntityType]: Cells<T> } = {
  leads: {
    ...always,
    price: (lead) => amountOf(lead, 'price'),
    pipeline: ({ pipeline_id }, { stages }) => stages.pipeline(pipeline_id),
    status: stage,
    ...responsible,
    ...tags,
    ...history,
    closed_at: time('closed_at'),
    loss_reason: ({ loss_reason_id }, { loss_reasons }) => loss_reasons.get(loss_reason_id ?? 0)?.name ?? '',
  },
  contacts: {
    ...always,
    first_name: ({ first_name }) => first_name,
    last_name: ({ last_name }) => last_name,
    ...responsible,
    ...tags,
    ...history,
  },
  companies: { ...always, ...responsible, ...tags, ...history },
  customers: {
    ...always,
    next_price: (customer) => amountOf(customer, 'next_price'),
    next_date: time('next_date'),
    status: stage,
    ltv: (customer) => amountOf(customer, 'ltv'),
    purchases_count: ({ purchases_count }) => purchases_count,
    ...responsible,
    ...tags,
    ...history,
  },
  catalog_elements: { ...always, ...history },
}

/** The types of fields whose value is one number. */
const amounts: ReadonlySet<string> = new Set(['numeric', 'monetary', 'price'])

/** The header line, with API names or in a language. Fields with equal names get their ids added. */
export function headOf({ type, delimiter, headings, times }: Table, fields: FieldSet): string {
  const own = Object.keys(columns[type]).map((column) => {
    const heading = headingOf(column, headings)
    return moments.some((one) => one === column) ? times.heading(heading) : heading
  })
  const taken = Map.groupBy([...own, ...fields.list.map(({ name }) => name)], (name) => name)
  const named = fields.list.map(({ id, name, type }) => {
    const unique = (taken.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name
    return type === 'date_time' ? times.heading(unique) : unique
  })
  return csvLine([...own, ...named], delimiter)
}

/** Loads the names for the rows of a page: one query for each type of id. */
export async function namesFor(
  db: Db,
  account_id: number,
  type: EntityType,
  rows: readonly ListedEntity[],
): Promise<Names> {
  const ids = rows.map(({ id }) => id)
  const reasons = [...new Set(rows.flatMap(({ loss_reason_id }) => loss_reason_id ?? []))]
  const [people, stages, loss_reasons, carried] = await Promise.all([
    findMembers(db, account_id).then((members) => userNames(db, [...members.keys()])),
    findStageTitles(db, account_id),
    knownLossReasons(db, account_id, reasons),
    type === 'catalog_elements' ? [] : tagsOfEntities(db, account_id, type, ids),
  ])
  const byRecord = Map.groupBy(carried, ({ entity_id }) => entity_id)
  const tags = new Map([...byRecord].map(([id, some]) => [id, some.map(({ name }) => name).join('; ')]))
  return { people, stages, loss_reasons, tags }
}

/** A record as a line of the table. */
export function lineOf(
  { type, delimiter, times }: Table,
  fields: FieldSet,
  names: Names,
  row: ListedEntity,
): string {
  const texts = fieldTexts(fields, parseStored(row.field_values), times)
  const own = Object.values(columns[type]).map((cell) => cell(row, names, times) ?? '')
  const others = fields.list.map((field) => {
    const text = texts.get(field.id) ?? ''
    return amounts.has(field.type) ? decimalText(text, delimiter) : text
  })
  return csvLine([...own, ...others], delimiter)
}
