import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { actingIntegrationsOptions } from '../../data/acting-integrations.ts'
import type { Choice } from './filter-choices.tsx'

/** Returns the integrations that can have acted in the account, as options of a filter. */
export function useIntegrationChoices(): Choice[] {
  const { data } = useQuery(actingIntegrationsOptions)
  return useMemo(() => (data ?? []).map(({ id, name }) => ({ value: id, label: name })), [data])
}
