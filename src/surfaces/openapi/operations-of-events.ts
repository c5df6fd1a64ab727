import { eventTypes } from '../../events/event-types.ts'
import { timelineKinds } from '../../timeline/timeline-types.ts'
import type { OperationsMetadata } from './metadata.ts'
import { choices, ids, type QueryParameter, spans, withAny } from './query-parameters.ts'

const listed = (name: string, description: string): QueryParameter => ({
  name: `filter[${name}]`,
  in: 'query',
  description,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string' } },
})

/** What a change was to, or from. */
const values = (side: 'after' | 'before'): QueryParameter[] => {
  const of = (name: string, schema: QueryParameter['schema'], description?: string): QueryParameter => ({
    name: `filter[value_${side}]${name}`,
    in: 'query',
    ...(description !== undefined && { description }),
    schema,
  })
  const id = { type: 'integer' }
  return [
    of('[leads_statuses][0][pipeline_id]', id, 'With the stage.'),
    of('[leads_statuses][0][status_id]', id, 'With the pipeline.'),
    of('[customers_statuses][0][status_id]', id),
    of('[responsible_user_id]', id),
    of('[custom_field_values]', id, 'Ids of choices; the type names the field.'),
    of('[value]', { type: 'string' }, 'Exactly this text or number; the type says of what.'),
  ]
}

const wishes = [
  'contact_name',
  'lead_name',
  'company_name',
  'customer_name',
  'catalog_element_name',
  'catalog_name',
]
const names = withAny(...wishes)

const filters: QueryParameter[] = [
  listed('id', 'Ids of events.'),
  ...spans('created_at'),
  ...ids('created_by'),
  listed(
    'type',
    `Types, or one custom_field_{id}_value_changed. There are: ${Object.keys(eventTypes).join(', ')}.`,
  ),
  listed('entity', 'lead, contact, company, customer, task or catalog_{id}.'),
  ...ids('entity_id').map((one) => ({ ...one, description: 'With exactly one kind in filter[entity].' })),
  ...values('after'),
  ...values('before'),
]

/** What a card tells. */
const timelineOf = (path: string, one: string): OperationsMetadata => ({
  [`GET /${path}/{id}/timeline`]: {
    summary: `Shows what happened on the card of one ${one}, newest first, with what each event is about.`,
    description:
      'The events of the record and of its tasks, and of a contact the messages that came to his leads; each with the note, ' +
      'the message or the task as far as the reader may see it.',
    query: [...withAny('only_deleted'), ...choices('kind', timelineKinds)],
  },
})

/** The log. */
export const toldOfEvents: OperationsMetadata = {
  'GET /events': {
    summary: 'Lists what happened, newest first, a page at a time; or tails it, or exports it.',
    description:
      'The same list is a live tail with `Accept: text/event-stream`, which goes on after `Last-Event-ID`, and an export ' +
      'with `text/csv` or `application/x-ndjson`.',
    query: [...names, ...filters],
    headers: { 'Last-Event-ID': { description: 'The event after which a tail goes on.' } },
    answers: {
      200: {
        exports: {
          'text/event-stream': 'The log as it grows: an event each, with its id.',
          'application/x-ndjson': 'An event a line.',
          'text/csv': 'A line of names, then an event a line.',
        },
      },
    },
  },
  'GET /events/counts': {
    summary: 'Counts what happened by day or by hour, of what the list has for the same filter.',
    description:
      'Sixty days where the filter names no beginning, 1,500 days or hours at most. What would be too much work is left ' +
      'out: then `complete_from` says from when on the counts are whole.',
    query: filters,
  },
  ...timelineOf('leads', 'lead'),
  ...timelineOf('contacts', 'contact'),
  ...timelineOf('companies', 'company'),
  ...timelineOf('customers', 'customer'),
  ...timelineOf('catalogs/{catalog_id}/elements', 'element'),
  'GET /events/types': 'Lists the types of events, in one of four languages, with one for each field.',
  'GET /events/{id}': { summary: 'Shows one event.', query: withAny(...wishes, 'request_id') },
}
