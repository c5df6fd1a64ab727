import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useColleagueName } from '../data/colleagues.ts'
import type { LogEvent } from '../data/events.ts'
import { fieldsOptions } from '../data/fields.ts'
import { collectionOf } from '../data/live-events.ts'

/** What clients do themselves: nobody of the account is behind it. */
const ofClients = new Set([
  'incoming_call',
  'incoming_chat_message',
  'incoming_sms',
  'nps_rate_added',
  'link_followed',
  'site_visit_note_added',
])
const ofBot = new Set(['robot_replied', 'intent_identified'])

/** The field that an event is about; undefined for what is of no field. */
export const fieldOf = ({ value_after, value_before }: LogEvent): number | undefined => {
  const [change] = [...value_after, ...value_before]
  return (change?.custom_field_value as { field_id?: number } | undefined)?.field_id
}

/** What the field of an event is called; while that is read, and after the field is gone, there is no name. */
export function useFieldName(event: LogEvent): string | undefined {
  const field_id = fieldOf(event)
  const collection = collectionOf(event.entity_type)
  const { data } = useQuery({
    ...fieldsOptions(collection ?? 'leads'),
    enabled: field_id !== undefined && collection !== undefined,
  })
  return data?.find(({ id }) => id === field_id)?.name
}

/** Who did something: a person of the account, a client, the bot, or the program itself. */
export function useActorName(): (event: LogEvent) => string {
  const { t } = useTranslation()
  const nameOf = useColleagueName()
  return ({ type, created_by }) => {
    if (created_by !== 0) return nameOf(created_by) ?? ''
    if (ofClients.has(type)) return t('events.client')
    return ofBot.has(type) ? t('events.bot') : t('app.nobody')
  }
}

/** What was done, to be read after who did it. A type that this version does not know is named as the log has it. */
export function useActionText(event: LogEvent): string {
  const { t, i18n } = useTranslation()
  const field = useFieldName(event) ?? t('events.a_field')
  const isOfClient = event.created_by === 0 && ofClients.has(event.type)
  const key = `events.${isOfClient ? 'client_did' : 'did'}.${event.type}`
  return i18n.exists(key)
    ? t(key as 'events.did.custom_field_value_changed', { field })
    : t('events.did_other', { type: event.type })
}
