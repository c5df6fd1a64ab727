import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { installationsOptions } from './installations.ts'
import { integrationsOptions } from './integrations.ts'

/** The names of the integrations that the account has built or installed, by the ids that the account uses. */
export function useIntegrationNames(): ReadonlyMap<string, string> {
  const { data: installed } = useQuery(installationsOptions)
  const { data: built } = useQuery(integrationsOptions)
  return useMemo(
    () =>
      new Map([
        ...(built ?? []).map(({ id, name }) => [id, name] as const),
        ...(installed ?? []).map(({ integration: { id, name } }) => [id, name] as const),
      ]),
    [built, installed],
  )
}
