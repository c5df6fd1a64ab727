import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventKindOf } from '../../src/events/event-types.ts'
import { useColleagueName } from '../data/colleagues.ts'
import type { LogEvent } from '../data/events.ts'
import { fieldsOptions } from '../data/fields.ts'
import { collectionOf } from '../data/live-events.ts'

/** Returns the id of the custom field that an event changes, if any. */
export const fieldOf = (event: LogEvent): number | undefined => {
  if (event.type !== 'custom_field_value_changed') return undefined
  const [change] = [...event.value_after, ...event.value_before]
  return change?.custom_field_value.field_id
}

/** Returns the name of that field; undefined while it loads and after it was deleted. */
export function useFieldName(event: LogEvent): string | undefined {
  const field_id = fieldOf(event)
  const collection = collectionOf(event.entity_type)
  const { data } = useQuery({
    ...fieldsOptions(collection ?? 'leads'),
    enabled: field_id !== undefined && collection !== undefined,
  })
  return data?.find(({ id }) => id === field_id)?.name
}

/** Returns the name of the actor: a person, a client, the bot or Patchbay. */
export function useActorName(): (event: LogEvent) => string {
  const { t } = useTranslation()
  const nameOf = useColleagueName()
  return ({ type, created_by }) => {
    if (created_by !== 0) return nameOf(created_by) ?? ''
    const actor = eventKindOf(type)?.actor
    return actor ? t(`events.${actor}`) : t('app.nobody')
  }
}

/** Returns the action of an event, to follow the name of the actor. Unknown types are named as in the log. */
export function useActionText(event: LogEvent): string {
  const { t, i18n } = useTranslation()
  const field = useFieldName(event) ?? t('events.a_field')
  const isOfClient = event.created_by === 0 && eventKindOf(event.type)?.actor === 'client'
  const key = `events.${isOfClient ? 'client_did' : 'did'}.${event.type}`
  return i18n.exists(key)
    ? t(key as 'events.did.custom_field_value_changed', { field })
    : t('events.did_other', { type: event.type })
}
