import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Event, EventPage, EventTypes } from '../../src/events/schemas.ts'
import { query, request } from './client.ts'
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

/** The latest of what happened to a contact; messages with him stand in the log at his lead, and are his all the same. */
export const contactTimeline = (contact_id: number, lead_id: number | null) =>
  queryOptions({
    queryKey: [...timelineKey, 'contact', contact_id, lead_id],
    queryFn: async () => {
      const own = eventsOf({ 'filter[entity]': 'contact', 'filter[entity_id]': contact_id })
      if (lead_id === null) return own
      const messages = await eventsOf({
        'filter[entity]': 'lead',
        'filter[entity_id]': lead_id,
        'filter[type]': 'incoming_chat_message,outgoing_chat_message',
      })
      const his = messages.filter(({ _embedded }) => _embedded.entity.linked_talk_contact_id === contact_id)
      return [...(await own), ...his].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, LIMIT)
    },
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
