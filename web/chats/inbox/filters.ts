import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ChatFilter } from '../../data/chats.ts'

const route = getRouteApi('/shell/inbox')

/** The filters are in the address. */
export const useFilter = (): ChatFilter => route.useSearch()

/** Returns a function that changes the filters. An open conversation stays open. */
export function useSetFilter() {
  const navigate = useNavigate()
  const filter = useFilter()
  return (change: Partial<ChatFilter>) =>
    navigate({ to: '.', search: { ...filter, ...change } as never, replace: true })
}

export const isNarrowed = ({ state, channel, query, contact, lead }: ChatFilter) =>
  Boolean(state || channel || query || contact || lead)
