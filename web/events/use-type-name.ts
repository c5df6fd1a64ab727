import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventTypesOptions, type LogEvent } from '../data/events.ts'
import type { Language } from '../data/session.ts'
import { fieldOf } from './event-text.ts'

/**
 * Returns the name of an event's type; undefined while the names load. Changes of a custom field have the name of the
 * field. Types that have no name are shown as they are.
 */
export function useTypeName(): (event: LogEvent) => string | undefined {
  const { i18n } = useTranslation()
  const { data: names, isPending } = useQuery(eventTypesOptions(i18n.language as Language))
  return (event) => {
    const field_id = fieldOf(event)
    const ofField = field_id === undefined ? undefined : names?.get(`custom_field_${field_id}_value_changed`)
    return ofField ?? names?.get(event.type) ?? (isPending ? undefined : event.type)
  }
}
