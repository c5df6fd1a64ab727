import type { Query } from '../../http/queries/bracket-query.ts'
import {
  createdByIntegration,
  ids,
  one,
  orders,
  type QueryParameter,
  spans,
  texts,
  withAny,
} from '../../http/queries/query-parameters.ts'
import { unreadParameters } from '../../http/queries/unread.ts'
import type { CardType, EntityType } from '../records/entity-types.ts'
import { orderNames } from '../records/orders.ts'
import { withNamesOf } from '../records/views.ts'

/** Descriptions of the parameters of record lists and their totals. */

const search = one(
  'query',
  { type: 'string' },
  'The first letters of words in the name or the fields. All must match.',
)

/** The filters of a list of elements. */
export const elementFilters = [
  ...ids('id', 'responsible_user_id', 'created_by', 'updated_by'),
  ...texts('name'),
  ...spans('created_at', 'updated_at'),
  ...createdByIntegration,
]

const everywhere = [
  ...texts('name'),
  ...ids('id', 'responsible_user_id', 'created_by', 'updated_by'),
  ...spans('created_at', 'updated_at', 'closest_task_at'),
  ...ids('tags'),
  ...createdByIntegration,
]

const filtersOf: Record<EntityType, QueryParameter[]> = {
  leads: [
    ...everywhere,
    ...ids('pipeline_id', 'loss_reason_id'),
    ...spans('price', 'closed_at'),
    ...one('filter[statuses][0][pipeline_id]', { type: 'integer' }, 'Without it, every pipeline.'),
    ...one('filter[statuses][0][status_id]', { type: 'integer' }, 'The stage.'),
    ...one('filter[tasks]', { type: 'integer', enum: [1, 2] }, '1: without open tasks. 2: with open tasks.'),
  ],
  contacts: everywhere,
  companies: everywhere,
  customers: [...everywhere, ...ids('status_id', 'segments'), ...spans('next_price', 'next_date')],
  catalog_elements: elementFilters,
}

const BY_FIELD = 'filter[custom_fields_values]'

/** The names in a query that select no records of a list: a misspelt filter would select all of them. */
export const unselective = (type: EntityType, query: Query, harmless: readonly string[] = []): string[] =>
  unreadParameters(
    [...search, ...filtersOf[type], ...[BY_FIELD, ...harmless].map((name) => ({ name }))],
    query,
  )

const BY_FIELDS =
  'Filter by a field with its id: `filter[custom_fields_values][ID][]=value` for any of several values, or `[ID][from]` ' +
  'and `[ID][to]` if its values have an order. Texts are compared in any case, by their first 255 characters.'

/** The words of a list of records with these filters. */
export const listed = (filters: readonly QueryParameter[]) => ({
  description:
    `${BY_FIELDS} With \`Accept: text/csv\` or \`application/x-ndjson\`, the response contains all records of the list that ` +
    'the person may export, and not one page.',
  parameters: [...search, ...filters],
  reads: [BY_FIELD],
  exports: {
    'application/x-ndjson': 'One record per line, in the format of the list.',
    'text/csv':
      'A line of names, then one record per line: names in place of ids, and a column for each field.',
  },
})

/** The words of the totals of such a list. */
export const totalled = (filters: readonly QueryParameter[]) => ({
  description: BY_FIELDS,
  parameters: [...search, ...withAny('only_deleted'), ...filters],
  reads: [BY_FIELD],
})

export const listedCards = (type: CardType) =>
  listed([...withAny(...withNamesOf[type]), ...filtersOf[type], ...orders(...orderNames(type))])

export const totalledCards = (type: CardType) => totalled(filtersOf[type])
