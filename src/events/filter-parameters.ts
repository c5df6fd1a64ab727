import { anyText, ids, one, type QueryParameter, spans } from '../http/queries/query-parameters.ts'
import { eventTypes } from './event-types.ts'

/** The value after a change, or before it. */
const values = (side: 'after' | 'before'): QueryParameter[] => {
  const of = (name: string, type: string, description: string) =>
    one(`filter[value_${side}]${name}`, { type }, description)
  return [
    ...of('[leads_statuses][0][pipeline_id]', 'integer', 'Together with the stage.'),
    ...of('[leads_statuses][0][status_id]', 'integer', 'Together with the pipeline.'),
    ...of('[customers_statuses][0][status_id]', 'integer', 'The stage of the customer.'),
    ...of('[responsible_user_id]', 'integer', 'The id of the user.'),
    ...of('[custom_field_values]', 'integer', 'Ids of choices. The type of the event selects the field.'),
    ...of('[value]', 'string', 'Exactly this text or number. The type of the event says what it is.'),
  ]
}

/** The filter of the log, as the API description shows it; `filters.ts` reads it. */
export const eventFilters: QueryParameter[] = [
  ...anyText('id', 'Ids of events.'),
  ...one('filter[created_at]', { type: 'integer' }, 'Unix seconds: the events after this time.'),
  ...spans('created_at'),
  ...ids('created_by').map((id) => ({ ...id, description: 'Ids of users, ten at most.' })),
  ...anyText(
    'integration',
    'Integrations that acted: their ids, or handles as `events/integrations` lists them.',
  ),
  ...anyText(
    'type',
    `Types, or one custom_field_{id}_value_changed. The types are: ${Object.keys(eventTypes).join(', ')}.`,
  ),
  ...anyText('entity', 'lead, contact, company, customer, task or catalog_{id}.'),
  ...ids('entity_id').map((id) => ({
    ...id,
    description: 'Ids of entities, ten at most. With exactly one kind in filter[entity].',
  })),
  ...values('after'),
  ...values('before'),
]
