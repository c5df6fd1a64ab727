import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventKindOf } from '../../src/events/event-types.ts'
import { useColleagueName } from '../data/colleagues.ts'
import type { LogEvent } from '../data/events.ts'
import { type CustomField, fieldsOptions } from '../data/fields.ts'
import { collectionOf } from '../data/live-events.ts'
import { useActingName } from '../parts/people/acting-name.ts'

/** Returns the id of the custom field that an event changes, if any. */
export const fieldOf = (event: LogEvent): number | undefined => {
  if (event.type !== 'custom_field_value_changed') return undefined
  const [change] = [...event.value_after, ...event.value_before]
  return change?.custom_field_value.field_id
}

/** Returns that field; undefined while it loads and after it was deleted. */
export function useChangedField(event: LogEvent): { field: CustomField | undefined; isLoading: boolean } {
  const field_id = fieldOf(event)
  const collection = collectionOf(event.entity_type)
  const { data, isLoading } = useQuery({
    ...fieldsOptions(collection ?? 'leads'),
    enabled: field_id !== undefined && collection !== undefined,
  })
  return { field: data?.find(({ id }) => id === field_id), isLoading }
}

/** The one who acts in an event, and the person whose rights an integration uses. */
interface Actor {
  name: string
  person?: string | undefined
}

/** Returns the actor: a person, an integration, a client, the bot or Patchbay. */
export function useActor(): (event: LogEvent) => Actor {
  const { t } = useTranslation()
  const nameOf = useColleagueName()
  return ({ type, created_by, created_by_integration: integration }) => {
    if (created_by !== 0) {
      const person = nameOf(created_by) ?? '…'
      return integration ? { name: integration.name, person } : { name: person }
    }
    const actor = eventKindOf(type)?.actor
    // A channel passes on what clients and its bot write. Records that it adds are its own.
    const isPassedOn = actor === 'client' || actor === 'bot'
    if (integration && !isPassedOn) return { name: integration.name }
    const name = actor ? t(`events.${actor}`) : t('app.nobody')
    return { name: integration ? t('app.acting_via', { who: name, integration: integration.name }) : name }
  }
}

/** Returns the name of the actor, with the person for whom an integration acts: “Courier, for Ada”. */
export function useActorName(): (event: LogEvent) => string {
  const actorOf = useActor()
  const actingName = useActingName()
  return (event) => {
    const { name, person } = actorOf(event)
    return person === undefined ? name : actingName(person, { name })
  }
}

/** Returns the action of an event, to follow the name of the actor. Unknown types are named as in the log. */
export function useActionText(event: LogEvent): string {
  const { t, i18n } = useTranslation()
  const field = useChangedField(event).field?.name ?? event.field_name ?? t('events.a_field')
  const isOfClient = event.created_by === 0 && eventKindOf(event.type)?.actor === 'client'
  const key = `events.${isOfClient ? 'client_did' : 'did'}.${event.type}`
  return i18n.exists(key)
    ? t(key as 'events.did.custom_field_value_changed', { field })
    : t('events.did_other', { type: event.type })
}
