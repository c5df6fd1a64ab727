import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Event, EventPage, EventTypes } from '../../src/events/schemas.ts'
import { query, request } from '../api/client.ts'
import { pagesOf, readPage } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { type List, withHead } from './row-lists.ts'
import type { Language } from './session.ts'

export type LogEvent = Static<typeof Event>
export type Change = Record<string, unknown>

export const timelineKey = ['timeline']
const v4 = '/web/v4'
const LIMIT = 15

const eventsOf = async (filter: Record<string, string | number>) => {
  const search = query({ limit: LIMIT, ...filter })
  return (await request<Static<typeof EventPage>>('GET', `${v4}/events${search}`))._embedded.events
}

/** The latest of what happened to a lead. */
export const leadTimeline = (lead_id: number) =>
  queryOptions({
    queryKey: [...timelineKey, 'lead', lead_id],
    queryFn: () => eventsOf({ 'filter[entity]': 'lead', 'filter[entity_id]': lead_id }),
  })

/** The latest of what happened to a contact; the messages with them stand in the log at their lead. */
export const contactTimeline = (contact_id: number) =>
  queryOptions({
    queryKey: [...timelineKey, 'contact', contact_id],
    queryFn: () => eventsOf({ 'filter[entity]': 'contact', 'filter[entity_id]': contact_id }),
  })

/** What the types of events are called in the reader's language. */
export const eventTypesOptions = (language: Language) =>
  queryOptions({
    queryKey: ['event-types', language],
    queryFn: async () => {
      const answer = await request<Static<typeof EventTypes>>(
        'GET',
        `${v4}/events/types${query({ language_code: language })}`,
      )
      return new Map(answer._embedded.events_types.map(({ key, lang }) => [key, lang]))
    },
    staleTime: 600_000,
  })

/** What the log is asked for beside the filter: what the records are called. */
export const namesWish = 'contact_name,lead_name,company_name,customer_name,catalog_element_name,catalog_name'
/** How many events a page of the log has, and how many are read when something happened. */
const PAGE = 100
const HEAD = 50

type Search = Readonly<Record<string, string>>

const readEvents = (path: string) => readPage<LogEvent>(path, 'events')
const logKey = (search: Search) => ['event-log', search]

/** The log, newest first. It is read again only at its head (`logHeadOptions`), however long it has become. */
export const logOptions = (search: Search) =>
  infiniteQueryOptions({
    queryKey: logKey(search),
    ...pagesOf((next) =>
      readEvents(next ?? `${v4}/events${query({ ...search, with: namesWish, limit: PAGE })}`),
    ),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

/** Reads what is new in the log whenever something happened, and puts it before what is known of it. */
export const logHeadOptions = (search: Search) =>
  queryOptions({
    queryKey: ['events', 'head', search],
    queryFn: async () => {
      const head = await readEvents(`${v4}/events${query({ ...search, with: namesWish, limit: HEAD })}`)
      const list = queryClient.getQueryData<List<LogEvent>>(logKey(search))
      const grown = list && withHead(list, head)
      if (grown) queryClient.setQueryData(logKey(search), grown)
      else if (list) queryClient.resetQueries({ queryKey: logKey(search), exact: true })
      return head.rows[0]?.id ?? null
    },
    staleTime: 0,
  })

export const eventOptions = (id: string) =>
  queryOptions({
    queryKey: ['event', id],
    queryFn: () => request<LogEvent>('GET', `${v4}/events/${id}${query({ with: eventWish })}`),
    staleTime: Number.POSITIVE_INFINITY,
  })
/** One event also says in which request it came about. */
const eventWish = `${namesWish},request_id`

export interface EventCounts {
  complete_from: number | null
  _embedded: { counts: { at: number; count: number }[] }
}

/** How many events there were in each day or hour of the reader's clock. */
export const countsOptions = (search: Search, by: 'day' | 'hour') =>
  queryOptions({
    queryKey: ['event-counts', search, by],
    queryFn: () => {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      return request<EventCounts>('GET', `${v4}/events/counts${query({ ...search, by, time_zone })}`)
    },
  })

/** How many neighbours of an event are shown on either side. */
const AROUND = 5
const DAY = 86_400
/** As many events as a page of the API has at most. */
const MOST = 250

/** What happened to the same record right before and after an event, newest first, the event itself among them. */
export const aroundOptions = ({ id, entity_type, entity_id, created_at }: LogEvent) =>
  queryOptions({
    queryKey: ['events', 'around', id],
    queryFn: async () => {
      const about = { 'filter[entity]': entity_type, 'filter[entity_id]': entity_id, with: namesWish }
      const position = `2.${id}`
      const read = async (asked: Record<string, string | number>) =>
        readEvents(`${v4}/events${query({ ...about, ...asked })}`)
      const since = { 'filter[created_at][from]': created_at, limit: MOST }
      const [older, newer] = await Promise.all([
        read({ page: 2, position, limit: AROUND }),
        read({ ...since, 'filter[created_at][to]': created_at + DAY }),
      ])
      // On a quiet record the next thing may have happened much later.
      const later = newer.rows.some((one) => one.id > id) ? newer : await read(since)
      const next = later.next === undefined ? later.rows : []
      return [...next.filter((one) => one.id >= id).slice(-AROUND - 1), ...older.rows]
    },
  })
