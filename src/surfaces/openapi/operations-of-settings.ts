import { catalogTypes } from '../../catalogs/schemas.ts'
import { fieldTypeNames } from '../../custom-fields/field-types.ts'
import { orderNames } from '../../entities/entities.ts'
import type { OperationsMetadata } from './metadata.ts'
import { listOfRecords, ofOneVersion, totalsOfRecords } from './operations-of-cards.ts'
import { choices, ids, one, orders, spans, texts, withAny } from './query-parameters.ts'

const aboutUsers = withAny('role', 'group', 'uuid', 'amojo_id', 'user_rank', 'phone_number')
const aboutStages = withAny('descriptions')
const aboutElements = withAny('invoice_link', 'only_deleted')

const filtersOfElements = [
  ...ids('id', 'responsible_user_id', 'created_by', 'updated_by'),
  ...texts('name'),
  ...spans('created_at', 'updated_at'),
]

const homes: Record<string, string> = {
  '/leads': 'leads',
  '/contacts': 'contacts',
  '/companies': 'companies',
  '/customers': 'customers',
  '/customers/segments': 'segments of customers',
  '/catalogs/{catalog_id}': 'elements of one list',
}

const fieldsOf = (path: string, of: string): OperationsMetadata => ({
  [`GET ${path}/custom_fields`]: {
    summary: `Lists the fields of ${of}.`,
    query: [...choices('type', fieldTypeNames), ...orders('sort', 'id')],
  },
  [`POST ${path}/custom_fields`]: `Adds fields to ${of}.`,
  [`PATCH ${path}/custom_fields`]: `Changes fields of ${of}, all of the batch or none.`,
  [`GET ${path}/custom_fields/{id}`]: `Shows one field of ${of}.`,
  [`PATCH ${path}/custom_fields/{id}`]: `Changes one field of ${of}.`,
  [`GET ${path}/custom_fields/{id}/usage`]: `Counts the records that have a value in one field of ${of}.`,
  [`DELETE ${path}/custom_fields/{id}`]: `Deletes one field of ${of}, with its values.`,
  [`GET ${path}/custom_fields/groups`]: `Lists the groups of fields that cards of ${of} have.`,
  [`POST ${path}/custom_fields/groups`]: `Adds groups of fields to cards of ${of}.`,
  [`GET ${path}/custom_fields/groups/{id}`]: `Shows one group of fields of ${of}.`,
  [`PATCH ${path}/custom_fields/groups/{id}`]: `Changes one group of fields of ${of}.`,
  [`DELETE ${path}/custom_fields/groups/{id}`]: `Deletes one group of fields of ${of}.`,
})
/** Their cards have no tabs. */
const withoutGroups = ['/customers/segments', '/catalogs/{catalog_id}']

/** What an account is arranged with. */
export const toldOfSettings: OperationsMetadata = {
  'GET /account': {
    summary: 'Shows the account.',
    query: withAny(
      ...['amojo_id', 'uuid', 'version', 'drive_url', 'is_api_filter_enabled', 'entity_names'],
      ...['invoices_settings', 'amojo_rights', 'users_groups', 'task_types', 'datetime_settings'],
    ),
  },
  'PATCH /account': 'Changes the account.',
  'GET /users': { summary: 'Lists the people of the account.', query: aboutUsers },
  'POST /users': 'Adds people to the account.',
  'GET /users/{id}': { summary: 'Shows one person.', query: aboutUsers },
  'PATCH /users/{id}': 'Changes one person and what he may do.',
  'DELETE /users/{id}': 'Removes one person from the account.',
  'POST /users/{id}/activate': 'Lets one person in again.',
  'POST /users/{id}/deactivate': 'Keeps one person out, and ends what he granted.',
  'POST /users/activate': 'Lets several people in again.',
  'POST /users/deactivate': 'Keeps several people out, and ends what they granted.',
  'GET /roles': { summary: 'Lists the roles.', query: withAny('users') },
  'POST /roles': { summary: 'Adds roles.', one_too: true },
  'GET /roles/{id}': { summary: 'Shows one role.', query: withAny('users') },
  'PATCH /roles/{id}': 'Changes one role.',
  'DELETE /roles/{id}': 'Deletes one role that nobody has.',
  'GET /groups': 'Lists the groups of people.',
  'POST /groups': 'Adds one group.',
  'PATCH /groups/{id}': 'Renames one group.',
  'DELETE /groups/{id}': 'Deletes one group that nobody is in.',

  'GET /leads/pipelines': { summary: 'Lists the pipelines with their stages.', query: aboutStages },
  'POST /leads/pipelines': 'Adds pipelines.',
  'GET /leads/pipelines/{id}': { summary: 'Shows one pipeline with its stages.', query: aboutStages },
  'PATCH /leads/pipelines/{id}': 'Changes one pipeline.',
  'DELETE /leads/pipelines/{id}': 'Deletes one pipeline that no lead is in.',
  'GET /leads/pipelines/{pipeline_id}/statuses': {
    summary: 'Lists the stages of one pipeline.',
    query: aboutStages,
  },
  'POST /leads/pipelines/{pipeline_id}/statuses': 'Adds stages to one pipeline.',
  'GET /leads/pipelines/{pipeline_id}/statuses/{id}': { summary: 'Shows one stage.', query: aboutStages },
  'PATCH /leads/pipelines/{pipeline_id}/statuses/{id}': 'Changes one stage.',
  'DELETE /leads/pipelines/{pipeline_id}/statuses/{id}': 'Deletes one stage that no lead is in.',
  'GET /leads/loss_reasons': 'Lists the reasons for which leads are lost.',
  'POST /leads/loss_reasons': 'Adds reasons for which leads are lost.',
  'GET /leads/loss_reasons/{id}': 'Shows one reason.',
  'PATCH /leads/loss_reasons/{id}': 'Changes one reason.',
  'DELETE /leads/loss_reasons/{id}': 'Deletes one reason.',
  'PATCH /customers/mode': 'Switches customers on or off, and how they are worked with.',
  'GET /customers/statuses': 'Lists the stages of customers.',
  'POST /customers/statuses': 'Adds stages of customers.',
  'GET /customers/statuses/{id}': 'Shows one stage of customers.',
  'PATCH /customers/statuses/{id}': 'Changes one stage of customers.',
  'DELETE /customers/statuses/{id}': 'Deletes one stage that no customer is in.',

  ...Object.fromEntries(
    Object.entries(homes).flatMap(([path, of]) =>
      Object.entries(fieldsOf(path, of)).filter(
        ([operation]) => !(operation.includes('/groups') && withoutGroups.includes(path)),
      ),
    ),
  ),

  'GET /catalogs': {
    summary: 'Lists the lists of the account.',
    query: [...one('type', { type: 'string', enum: catalogTypes }), ...choices('type', catalogTypes)],
  },
  'POST /catalogs': 'Adds lists.',
  'PATCH /catalogs': 'Changes lists, all of the batch or none.',
  'GET /catalogs/{id}': 'Shows one list.',
  'PATCH /catalogs/{id}': 'Changes one list.',
  'DELETE /catalogs/{id}': 'Deletes one list for good, with its elements and fields.',
  'GET /catalogs/{catalog_id}/elements': listOfRecords('elements of one list', [
    ...aboutElements,
    ...filtersOfElements,
    ...orders(...orderNames('catalog_elements')),
  ]),
  'GET /catalogs/{catalog_id}/elements/totals': totalsOfRecords('elements of one list', [
    ...withAny('only_deleted'),
    ...filtersOfElements,
  ]),
  'POST /catalogs/{catalog_id}/elements': 'Adds elements to one list, all of the batch or none.',
  'PATCH /catalogs/{catalog_id}/elements': 'Changes elements of one list, all of the batch or none.',
  'GET /catalogs/{catalog_id}/elements/{id}': { summary: 'Shows one element.', query: aboutElements },
  'PATCH /catalogs/{catalog_id}/elements/{id}': { summary: 'Changes one element.', ...ofOneVersion },
  'DELETE /catalogs/{catalog_id}/elements/{id}': 'Moves one element to the trash.',
  'POST /catalogs/{catalog_id}/elements/{id}/restore': 'Takes one element out of the trash.',

  'GET /audiences': 'Lists the advertising audiences.',
  'POST /audiences': 'Adds advertising audiences.',
  'GET /audiences/{id}': 'Shows one advertising audience.',
  'PATCH /audiences/{id}': 'Changes one advertising audience.',
  'DELETE /audiences/{id}': 'Deletes one advertising audience.',
  'POST /short_links': 'Makes short links, the following of which is noted on a contact.',

  'GET /sources': {
    summary: 'Lists the sources of the integration that asks.',
    query: [...texts('external_id')],
  },
  'POST /sources': 'Adds sources of the integration that asks.',
  'PATCH /sources': 'Changes sources, all of the batch or none.',
  'DELETE /sources': 'Deletes sources, all of the batch or none.',
  'GET /sources/{id}': 'Shows one source.',
  'PATCH /sources/{id}': 'Changes one source.',
  'DELETE /sources/{id}': 'Deletes one source.',
}
