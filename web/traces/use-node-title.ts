import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventTypesOptions } from '../data/events.ts'
import type { Language } from '../data/session.ts'
import type { TraceNode } from '../data/traces.ts'

/** Returns what a node is, in the reader's language. Names that this version does not know are shown as they are. */
export function useNodeTitle(): (node: TraceNode) => string {
  const { t, i18n } = useTranslation()
  const { data: types, isPending } = useQuery(eventTypesOptions(i18n.language as Language))
  const word = (key: string, name: string) => (i18n.exists(key) ? t(key as 'traces.title') : name)
  return ({ kind, name, ref, address }) => {
    const titles: Record<TraceNode['kind'], () => string> = {
      request: () => address ?? t('traces.unknown'),
      event: () => types?.get(name) ?? (isPending ? '…' : word(`events.types.${name}`, name)),
      audit: () => word(`audit.did.${name}`, name),
      job: () => word(`traces.job.${name}`, name),
      run: () => word(`automation.types.${name}`, name),
      announcement: () => t('traces.announcement'),
      delivery: () => word(`traces.delivery.${name}`, name),
      attempt: () => (name ? word(`traces.sent.${name}`, name) : t('traces.attempt', { number: ref })),
    }
    return titles[kind]()
  }
}
