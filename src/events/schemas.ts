import { type Static, Type } from 'typebox'
import { ActingIntegration, ByIntegration } from '../accounts/members/schemas.ts'
import { CsvDelimiter, CsvHeadings, Format } from '../http/bodies/forms.ts'
import { Self } from '../http/hal.ts'
import { publishedAs } from '../http/published.ts'
import { KeysetList, KeysetPaged } from '../http/queries/paging.ts'
import { publishedEvent } from './published-event.ts'

const Id = Type.Integer()

export const ActingIntegrations = Type.Object({
  _total_items: Type.Integer(),
  _links: Self,
  _embedded: Type.Object({ integrations: Type.Array(ActingIntegration) }),
})

/** One change in `value_after` and `value_before`; its only member is named after what changed. */
const Change = Type.Record(Type.String(), Type.Unknown())

/** In the order of the wire. */
const members = {
  id: Type.String({ description: 'A ULID in lower case. Ids are in the order of time.' }),
  type: Type.String(),
  entity_id: Type.Integer({ description: 'The id of the record or task that the event is about.' }),
  entity_type: Type.String({ description: 'lead, contact, company, customer, task or catalog_{id}.' }),
  created_by: Type.Integer({ description: 'The id of the user. 0 is the server.' }),
  created_by_integration: Type.Optional(ByIntegration),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  value_after: Type.Array(Change),
  value_before: Type.Array(Change),
  field_name: Type.Optional(
    Type.String({ description: 'With `with=field_name`: the name that the changed field had.' }),
  ),
  account_id: Id,
  request_id: Type.Optional(
    Type.String({ description: 'With `with=request_id`, of one event: the request that caused it.' }),
  ),
  _links: Self,
  _embedded: Type.Object({
    entity: Type.Object({
      id: Id,
      name: Type.Optional(Type.String({ description: 'With `with`.' })),
      catalog_name: Type.Optional(
        Type.String({ description: 'With `with=catalog_name`: the name of the list of an element.' }),
      ),
      linked_talk_contact_id: Type.Optional(Id),
      _links: Self,
    }),
  }),
}
const { type: _, value_after: __, value_before: ___, ...common } = members

/** An event as the API answers it (docs/wire/events.md). */
export const Event = publishedAs(Type.Object(members, { title: 'Event' }), publishedEvent(common))

export type Event = Static<typeof Event>

export const EventPage = KeysetList('events', Event)

export const EventsQuery = Type.Object({
  ...KeysetPaged.properties,
  filter: Type.Optional(Type.Unknown()),
  format: Format,
  delimiter: CsvDelimiter,
  headings: CsvHeadings,
})
export type EventsQuery = Static<typeof EventsQuery>

export const CountsQuery = Type.Object({
  filter: Type.Optional(Type.Unknown()),
  by: Type.Enum(['day', 'hour'], { default: 'day', description: 'The span of each count.' }),
  time_zone: Type.String({
    maxLength: 64,
    default: 'UTC',
    description: 'The time zone of the days, for example `Europe/Madrid`.',
  }),
})
export const EventCounts = Type.Object(
  {
    complete_from: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Unix seconds. Earlier events are not counted. Null: all events are counted.',
    }),
    _embedded: Type.Object({
      counts: Type.Array(
        Type.Object(
          {
            at: Type.Integer({ description: 'Unix seconds of the beginning of the span.' }),
            count: Type.Integer(),
          },
          { title: 'EventCount' },
        ),
      ),
    }),
  },
  { title: 'EventCounts' },
)

export const EventPath = Type.Object({ id: Type.String({ maxLength: 64 }) })
export const EventQuery = Type.Object({ with: Type.Optional(Type.Unknown()) })

const EventTypeEntry = Type.Object({
  key: Type.String({ description: 'The code of the type: `type` of events and `filter[type]`.' }),
  type: Type.Integer({ description: 'The number of the type.' }),
  lang: Type.String({ description: 'The name of the type in the language.' }),
})
export type EventTypeEntry = Static<typeof EventTypeEntry>

export const EventTypesQuery = Type.Object({
  language_code: Type.Optional(
    Type.String({
      description: 'The language of the names: `en`, `es`, `ru` or `pt`. By default, that of the user.',
    }),
  ),
})
export const EventTypes = Type.Object({
  _total_items: Type.Integer(),
  _links: Self,
  _embedded: Type.Object({ events_types: Type.Array(EventTypeEntry) }),
})
