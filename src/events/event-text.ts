import type { ActingIntegration } from '../context.ts'
import { eventTypeOf } from './event-types.ts'
import type { ShownEvent } from './list-queries.ts'

/**
 * Renders an event as JSON text. Values are stored as the JSON of the answer, so a page is rows joined with constant
 * text. Parsing and serialising them instead takes three times as long.
 */
export interface Rendering {
  account_id: number
  /** The address of the surface, without a trailing slash. */
  base: string
  names: EntityNames
  /** Whether events of fields have the name that the field had. */
  withFieldNames: boolean
  integrations: ActingNames
}

/** Names by `entity_type` and id. The names of lists are under `catalogs`. */
export type EntityNames = ReadonlyMap<string, ReadonlyMap<number, string>>

export const NO_NAMES: EntityNames = new Map()

/** The integrations that acted, by their numbers; null if they were not requested. */
export type ActingNames = ReadonlyMap<number, ActingIntegration> | null

export function eventText(event: ShownEvent, rendering: Rendering): string {
  const { account_id, base, names, integrations } = rendering
  const { id, entity_type, entity_id, created_by, created_at, value_after, value_before } = event
  return `{"id":"${id}","type":"${eventTypeOf(event.type)}","entity_id":${entity_id},"entity_type":"${entity_type}","created_by":${created_by}${acting(event, integrations)},"created_at":${created_at},"value_after":${value_after},"value_before":${value_before}${ofField(event, rendering)},"account_id":${account_id},"_links":{"self":{"href":"${base}/events/${id}"}},"_embedded":{"entity":{"id":${entity_id}${named(event, names)}${talk(event)},"_links":{"self":{"href":"${base}/${pathOf(entity_type)}/${entity_id}"}}}}}`
}

const paths: Record<string, string> = {
  lead: 'leads',
  contact: 'contacts',
  company: 'companies',
  customer: 'customers',
  task: 'tasks',
}

const pathOf = (entity_type: string): string =>
  paths[entity_type] ?? `catalogs/${entity_type.slice('catalog_'.length)}/elements`

/** The integration that acted, if it was requested; null if it was a person in the application or the server. */
export const integrationOf = ({ created_by_integration: number }: ShownEvent, integrations: ActingNames) =>
  (number !== null && integrations?.get(number)) || null

const acting = (event: ShownEvent, integrations: ActingNames): string =>
  integrations ? `,"created_by_integration":${JSON.stringify(integrationOf(event, integrations))}` : ''

const ofField = ({ field_name }: ShownEvent, { withFieldNames }: Rendering): string =>
  withFieldNames ? member('field_name', field_name ?? undefined) : ''

/** The name of the event's record, if names were requested. */
export const nameOf = ({ entity_type, entity_id }: ShownEvent, names: EntityNames): string | undefined =>
  names.get(entity_type)?.get(entity_id)

function named(event: ShownEvent, names: EntityNames): string {
  if (names.size === 0) return ''
  const name = nameOf(event, names)
  const list = names.get('catalogs')?.get(listOf(event.entity_type))
  return member('name', name) + member('catalog_name', list)
}

const member = (key: string, text: string | undefined): string =>
  text === undefined ? '' : `,"${key}":${JSON.stringify(text)}`

/** The list of an element, or 0 if the type is not an element. */
export const listOf = (entity_type: string): number =>
  entity_type.startsWith('catalog_') ? Number(entity_type.slice('catalog_'.length)) : 0

/** The talk's contact, for a message in a chat that is linked to another record. */
const talk = ({ talk_contact_id }: ShownEvent): string =>
  talk_contact_id === null ? '' : `,"linked_talk_contact_id":${talk_contact_id}`
