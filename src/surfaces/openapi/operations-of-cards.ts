import { orderNames } from '../../entities/entities.ts'
import { type CardType, cardTypes, entityTypes } from '../../entities/entity-types.ts'
import type { OperationMetadata, OperationsMetadata } from './metadata.ts'
import { choices, ids, one, orders, type QueryParameter, spans, texts, withAny } from './query-parameters.ts'

interface Card {
  one: string
  many: string
  with: string[]
  filters: QueryParameter[]
}

const always = ['catalog_elements', 'only_deleted']
const everywhere = [
  ...texts('name'),
  ...ids('id', 'responsible_user_id', 'created_by', 'updated_by'),
  ...spans('created_at', 'updated_at', 'closest_task_at'),
  ...ids('tags'),
]

const cards: Record<CardType, Card> = {
  leads: {
    one: 'lead',
    many: 'leads',
    with: [...always, 'contacts', 'loss_reason', 'is_price_modified_by_robot', 'source_id', 'source'],
    filters: [
      ...everywhere,
      ...ids('pipeline_id', 'loss_reason_id'),
      ...spans('price', 'closed_at'),
      ...one('filter[statuses][0][pipeline_id]', { type: 'integer' }),
      ...one('filter[statuses][0][status_id]', { type: 'integer' }),
    ],
  },
  contacts: {
    one: 'contact',
    many: 'contacts',
    with: [...always, 'leads', 'customers'],
    filters: everywhere,
  },
  companies: {
    one: 'company',
    many: 'companies',
    with: [...always, 'leads', 'customers', 'contacts'],
    filters: everywhere,
  },
  customers: {
    one: 'customer',
    many: 'customers',
    with: [...always, 'contacts', 'companies'],
    filters: [...everywhere, ...ids('status_id'), ...spans('next_price', 'next_date')],
  },
}

const BY_FIELDS =
  'A field of the account is asked for by its id: `filter[custom_fields_values][ID][]=value`, any of several, or ' +
  '`[ID][from]` and `[ID][to]` where its values have an order.'

/** By kind: what is embedded, and by what the list is searched. */
export const listOfRecords = (names: string, asked: readonly QueryParameter[]): OperationMetadata => ({
  summary: `Lists ${names}, filtered, searched and in order, a page at a time; or exports them.`,
  description:
    `${BY_FIELDS} With \`Accept: text/csv\` or \`application/x-ndjson\` the answer is everything that the list holds and ` +
    'the person may export, and not a page.',
  query: [...searched, ...asked],
  reads: ['filter[custom_fields_values]'],
  answers: {
    200: {
      exports: {
        'application/x-ndjson': 'A record a line, in the form of the list.',
        'text/csv':
          'A line of names, then a record a line: with names in place of ids, and a column for each field.',
      },
    },
  },
})

/** What the list of the same query comes to. */
export const totalsOfRecords = (names: string, asked: readonly QueryParameter[]): OperationMetadata => ({
  summary: `Counts the ${names} that the list of the same query holds, and adds up what they are worth.`,
  description: BY_FIELDS,
  query: [...searched, ...asked],
  reads: ['filter[custom_fields_values]'],
})

const searched = one(
  'query',
  { type: 'string' },
  'Words with which the name or the fields begin; all have to be found.',
)

/** What a write takes and answers that does not want to undo what others wrote meanwhile. */
export const ofOneVersion: Omit<OperationMetadata, 'summary'> = {
  description: 'The answer has an `ETag` for the next write.',
  headers: {
    'If-Match': {
      description: 'The `ETag` with which the record was read: nothing is written over a later change.',
    },
  },
  answers: { 412: { description: 'The record was changed meanwhile; nothing was written.', problem: true } },
}

const linksOf = (type: CardType): QueryParameter[] => [
  ...one('filter[to_entity_id]', { type: 'integer' }, 'Given together with the type.'),
  ...one('filter[to_entity_type]', { type: 'string', enum: entityTypes[type].links }),
  ...one('filter[to_catalog_id]', { type: 'integer' }),
]

const operationsOf = (
  path: CardType,
  { one: name, many, with: names, filters }: Card,
): OperationsMetadata => ({
  [`GET /${path}`]: listOfRecords(many, [...withAny(...names), ...filters, ...orders(...orderNames(path))]),
  [`GET /${path}/totals`]: totalsOfRecords(many, [...withAny('only_deleted'), ...filters]),
  [`POST /${path}`]: `Adds ${many}, all of the batch or none.`,
  [`PATCH /${path}`]: `Changes ${many}, all of the batch or none.`,
  [`DELETE /${path}`]: `Moves ${many} to the trash, all of the batch or none.`,
  [`GET /${path}/{id}`]: { summary: `Shows one ${name}.`, query: withAny(...names) },
  [`PATCH /${path}/{id}`]: { summary: `Changes one ${name}.`, ...ofOneVersion },
  [`DELETE /${path}/{id}`]: `Moves one ${name} to the trash.`,
  [`POST /${path}/{id}/restore`]: `Takes one ${name} out of the trash.`,
  [`POST /${path}/merge`]: `Merges ${many} into the one that stays.`,
  [`GET /${path}/{id}/links`]: { summary: `Lists what one ${name} is linked to.`, query: linksOf(path) },
  [`GET /${path}/links`]: {
    summary: `Lists what several ${many} are linked to.`,
    query: [
      ...one(
        'filter[entity_id]',
        { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 250 },
        `The ${many}.`,
      ).map((parameter): QueryParameter => ({ ...parameter, required: true, style: 'form', explode: false })),
      ...linksOf(path),
    ],
  },
  [`POST /${path}/{id}/link`]: `Links one ${name} to others.`,
  [`POST /${path}/link`]: `Links several ${many} to others.`,
  [`POST /${path}/{id}/unlink`]: `Takes links of one ${name} away.`,
  [`POST /${path}/unlink`]: `Takes links of several ${many} away.`,
  [`GET /${path}/tags`]: {
    summary: `Lists the tags that ${many} have.`,
    query: [...one('query', { type: 'string' }, 'A part of the name.'), ...texts('name'), ...ids('id')],
  },
  [`POST /${path}/tags`]: `Adds tags for ${many}.`,
  [`GET /${path}/{id}/audiences`]: `Lists the advertising audiences that one ${name} is in.`,
  [`POST /${path}/{id}/audiences`]: `Puts one ${name} into an advertising audience.`,
  [`DELETE /${path}/{id}/audiences/{audience_id}`]: `Takes one ${name} out of an advertising audience.`,
  [`POST /${path}/{id}/surveys`]: `Makes the address at which one ${name} may rate the account.`,
  [`POST /${path}/{id}/nps`]: `Records a rate that one ${name} gave.`,
})

const filtersOfTasks: QueryParameter[] = [
  ...ids('id', 'responsible_user_id', 'created_by', 'task_type', 'entity_id'),
  ...choices('entity_type', ['leads', 'contacts', 'companies', 'customers']),
  ...choices('is_completed', ['0', '1']),
  ...texts('text'),
  ...spans('updated_at', 'created_at', 'complete_till'),
]

/** Cards and tasks. */
export const toldOfCards: OperationsMetadata = {
  ...Object.assign({}, ...cardTypes.map((type) => operationsOf(type, cards[type]))),
  'GET /search': 'Finds records of all kinds by words, the best of each kind.',
  'POST /leads/complex': 'Adds leads with a contact and a company each.',

  'GET /customers/transactions': { summary: 'Lists purchases of all customers.', query: ids('id') },
  'GET /customers/transactions/{id}': 'Shows one purchase.',
  'DELETE /customers/transactions/{id}': 'Deletes one purchase and takes its sums back.',
  'GET /customers/{customer_id}/transactions': {
    summary: 'Lists purchases of one customer.',
    query: ids('id'),
  },
  'POST /customers/{customer_id}/transactions': {
    summary: 'Adds purchases to one customer.',
    query: one('accrue_bonus', { type: 'boolean' }, 'Credits points for the whole batch.'),
  },
  'GET /customers/{customer_id}/transactions/{id}': 'Shows one purchase of one customer.',
  'DELETE /customers/{customer_id}/transactions/{id}': 'Deletes one purchase of one customer.',
  'POST /customers/{customer_id}/bonus_points': 'Credits or redeems points of one customer.',

  'GET /tasks': {
    summary: 'Lists tasks, filtered and in order, a page at a time.',
    query: [...filtersOfTasks, ...orders('created_at', 'complete_till', 'id')],
  },
  'GET /tasks/totals': { summary: 'Counts tasks, filtered.', query: filtersOfTasks },
  'GET /tasks/{id}': 'Shows one task.',
  'POST /tasks': 'Adds tasks, all of the batch or none.',
  'PATCH /tasks': 'Changes tasks, all of the batch or none.',
  'PATCH /tasks/{id}': 'Changes or completes one task.',
  'DELETE /tasks': 'Deletes tasks, all of the batch or none.',
  'DELETE /tasks/{id}': 'Deletes one task.',
}
