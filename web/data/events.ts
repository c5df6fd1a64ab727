import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type QueryOf, type Schemas } from '../api/client.ts'
import { pagesOf, readPage } from '../api/lists.ts'
import { beginHead, putHead } from './row-lists.ts'
import type { Language } from './session.ts'

export type LogEvent = Schemas['Event']
export type Change = Record<string, unknown>

export const timelineKey = ['timeline']
const LIMIT = 15

type EventQuery = QueryOf<'/web/v4/events'>

export const readEvents = (query: EventQuery) =>
  readPage(api.GET('/web/v4/events', { params: { query } }), ({ events }) => events)

/** The latest events of a lead. */
export const leadTimeline = (lead_id: number) =>
  queryOptions({
    queryKey: [...timelineKey, 'lead', lead_id],
    queryFn: async () => {
      const about = { 'filter[entity]': ['lead' as const], 'filter[entity_id]': [lead_id] }
      return (await readEvents({ ...about, with: ['integration'], limit: LIMIT })).rows
    },
  })

/** The latest events of a contact, without the messages, which its conversation shows. */
export const contactTimeline = (contact_id: number) =>
  queryOptions({
    queryKey: [...timelineKey, 'contact', contact_id],
    queryFn: async () => {
      const { rows } = await readPage(
        api.GET('/web/v4/contacts/{id}/timeline', {
          params: {
            path: { id: contact_id },
            query: {
              'filter[kind]': ['change', 'note', 'call', 'file'],
              with: ['integration'],
              limit: LIMIT,
            },
          },
        }),
        ({ items }) => items.map(({ event }) => event),
      )
      return rows
    },
  })

/** The names of event types in the reader's language. */
export const eventTypesOptions = (language: Language) =>
  queryOptions({
    queryKey: ['event-types', language],
    queryFn: async () => {
      const query = { language_code: language }
      const answer = await dataOf(api.GET('/web/v4/events/types', { params: { query } }))
      return new Map(answer._embedded.events_types.map(({ key, lang }) => [key, lang]))
    },
    staleTime: 600_000,
  })

/** The names that the log returns with its events: of records, lists and fields, and of the integrations that acted. */
export const recordNames: NonNullable<EventQuery['with']> = [
  'contact_name',
  'lead_name',
  'company_name',
  'customer_name',
  'catalog_element_name',
  'catalog_name',
  'field_name',
  'integration',
]
/** The number of events of a page, and of a read of new events. */
const PAGE = 100
const HEAD = 50

type Search = Readonly<Record<string, string>>

const logKey = (search: Search) => ['event-log', search]

/** The log, newest first. Only its head is read again (`logHeadOptions`), however long it has become. */
export const logOptions = (search: Search) =>
  infiniteQueryOptions({
    queryKey: logKey(search),
    ...pagesOf((next) => {
      if (next) return readEvents(next)
      beginHead(logHeadOptions(search).queryKey)
      return readEvents({ ...search, with: recordNames, limit: PAGE })
    }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

/** Reads new events and puts them before the known ones. */
export const logHeadOptions = (search: Search) =>
  queryOptions({
    queryKey: ['events', 'head', search],
    queryFn: async () =>
      putHead(logKey(search), await readEvents({ ...search, with: recordNames, limit: HEAD })),
  })

export const eventOptions = (id: string) =>
  queryOptions({
    queryKey: ['event', id],
    queryFn: () =>
      dataOf(
        api.GET('/web/v4/events/{id}', {
          // A single event includes the id of its request.
          params: { path: { id }, query: { with: [...recordNames, 'request_id'] } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })

export type EventCounts = Schemas['EventCounts']

/** The number of events per day or hour in the reader's time zone. */
export const countsOptions = (search: Search, by: 'day' | 'hour') =>
  queryOptions({
    queryKey: ['event-counts', search, by],
    queryFn: () => {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      return dataOf(api.GET('/web/v4/events/counts', { params: { query: { ...search, by, time_zone } } }))
    },
  })

/** The number of events shown before and after an event. */
const AROUND = 5
const DAY = 86_400
/** The maximum page size of the API. */
const MOST = 250

/** The events of the same record before and after an event, newest first, including the event itself. */
export const aroundOptions = ({ id, entity_type, entity_id, created_at }: LogEvent) =>
  queryOptions({
    queryKey: ['events', 'around', id],
    queryFn: async () => {
      const about = {
        'filter[entity]': [entity_type],
        'filter[entity_id]': [entity_id],
        with: recordNames,
      }
      const position = `2.${id}`
      const read = (query: EventQuery) => readEvents({ ...about, ...query })
      const since = { 'filter[created_at][from]': created_at, limit: MOST }
      const [older, newer] = await Promise.all([
        read({ page: 2, position, limit: AROUND }),
        read({ ...since, 'filter[created_at][to]': created_at + DAY }),
      ])
      // The next event of a record may be much later.
      const later = newer.rows.some((one) => one.id > id) ? newer : await read(since)
      const next = later.next === undefined ? later.rows : []
      return [...next.filter((one) => one.id >= id).slice(-AROUND - 1), ...older.rows]
    },
  })
