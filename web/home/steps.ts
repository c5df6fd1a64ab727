import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { channelsOptions } from '../data/channels.ts'
import { colleaguesOptions } from '../data/colleagues.ts'
import { installationsOptions } from '../data/installations.ts'
import type { CardKind } from '../data/records.ts'
import { totalsOptions } from '../data/totals.ts'
import { useIsAdministrator, useRight } from '../shell/use-session.ts'

export interface Step extends Pick<LinkProps, 'to' | 'params'> {
  name: 'integration' | 'contacts' | 'lead' | 'people' | 'channel'
  isDone: boolean
}

/** Returns the first steps that the person can do, and whether the account is still empty. */
export function useSteps(): { steps: Step[]; isNew: boolean } {
  const isAdministrator = useIsAdministrator()
  const leads = useCount('leads')
  const contacts = useCount('contacts')
  const isNew = leads === 0 || contacts === 0
  const asked = { enabled: isNew && isAdministrator }
  const installations = useQuery({ ...installationsOptions, ...asked })
  const channels = useQuery({ ...channelsOptions, ...asked })
  const people = useQuery({ ...colleaguesOptions, enabled: isNew })
  // Waits for all queries, so that no step appears and disappears again.
  const isKnown = ![installations, channels, people].some(({ isLoading }) => isLoading)
  const canAddLeads = useRight('leads', 'add')
  const canAddContacts = useRight('contacts', 'add')
  const steps: (Step & { may: boolean })[] = [
    {
      name: 'integration',
      isDone: (installations.data ?? []).length > 0,
      to: '/integrations/new',
      may: isAdministrator,
    },
    {
      name: 'contacts',
      isDone: (contacts ?? 0) > 0,
      to: '/import/new/$kind',
      params: { kind: 'contacts' },
      may: canAddContacts,
    },
    { name: 'lead', isDone: (leads ?? 0) > 0, may: canAddLeads },
    {
      name: 'people',
      isDone: (people.data ?? []).length > 1,
      to: '/settings/people/new',
      may: isAdministrator,
    },
    {
      name: 'channel',
      isDone: (channels.data ?? []).length > 0,
      to: '/settings/channels/new',
      may: isAdministrator,
    },
  ]
  const own = steps.filter(({ may }) => may)
  return { steps: own, isNew: isNew && isKnown && own.some(({ isDone }) => !isDone) }
}

/** undefined while unknown or without permission. */
function useCount(collection: CardKind): number | undefined {
  const enabled = useRight(collection, 'view')
  return useQuery({ ...totalsOptions(collection, {}), enabled }).data?.total
}
