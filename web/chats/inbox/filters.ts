import { getRouteApi } from '@tanstack/react-router'
import type { ChatFilter } from '../../data/chats.ts'

const route = getRouteApi('/shell/inbox')

/** The filters are in the address. */
export const useFilter = (): ChatFilter => route.useSearch()

export function useSetFilter() {
  const navigate = route.useNavigate()
  return (change: Partial<ChatFilter>) =>
    navigate({ to: '.', search: (filter) => ({ ...filter, ...change }), replace: true })
}

export const isNarrowed = ({ state, channel, query, contact, lead }: ChatFilter) =>
  Boolean(state || channel || query || contact || lead)
