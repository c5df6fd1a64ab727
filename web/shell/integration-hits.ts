import { IconPlug } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { installationsOptions } from '../data/installations.ts'
import { integrationsOptions } from '../data/integrations.ts'
import { matches } from '../parts/forms/search-box.tsx'
import type { Hit } from './search-hits.ts'
import { useIsAdministrator } from './use-session.ts'

const MOST = 6

/** Finds integrations by name for administrators: those built here first, then other installed ones. */
export function useIntegrationHits(words: string): Hit[] {
  const asked = { enabled: useIsAdministrator() && words !== '' }
  const { data: built = [] } = useQuery({ ...integrationsOptions, ...asked })
  const { data: installed = [] } = useQuery({ ...installationsOptions, ...asked })
  if (!asked.enabled) return []
  const own = built.map(
    ({ id, name }): Hit => ({
      key: `integrations/${id}`,
      label: name,
      icon: IconPlug,
      goes: { to: '/integrations/built/$clientId', params: { clientId: id } },
    }),
  )
  const others = installed
    .filter(({ integration }) => !integration.is_own)
    .map(
      ({ integration: { id, name, developer } }): Hit => ({
        key: `integrations/${id}`,
        label: name,
        hint: developer.name,
        icon: IconPlug,
        goes: { to: '/integrations/installed/$clientId', params: { clientId: id } },
      }),
    )
  return [...own, ...others].filter(({ label }) => matches(words, label)).slice(0, MOST)
}
