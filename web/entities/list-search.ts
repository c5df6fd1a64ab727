import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Collection } from '../data/records.ts'
import { wordOf } from '../data/records.ts'
import { changed, type Search, type SearchChange } from '../parts/filters/filter.ts'
import type { Order } from '../parts/lists/list-column.ts'

/** The default order: newest first, or by name for items. */
const usual: Record<ReturnType<typeof wordOf>, Order> = {
  leads: { name: 'created_at', direction: 'desc' },
  contacts: { name: 'created_at', direction: 'desc' },
  companies: { name: 'created_at', direction: 'desc' },
  customers: { name: 'created_at', direction: 'desc' },
  elements: { name: 'name', direction: 'asc' },
}

const ORDER = /^order\[([^\]]+)\]$/

/** Returns the filters of an address, as totals, exports and bulk changes need them. */
export const narrowing = (search: Search): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== '' && /^(?:query$|filter\[)/.test(name)),
  )

export function orderOf(collection: Collection, search: Search): Order {
  const [name, direction] = Object.entries(search).find(([key]) => ORDER.test(key)) ?? []
  const column = name && ORDER.exec(name)?.[1]
  if (!column) return usual[wordOf(collection)]
  return { name: column, direction: direction === 'asc' ? 'asc' : 'desc' }
}

/** Returns the change to another order. The API uses the first order parameter, so there is only one. */
export function orderChange(search: Search, { name, direction }: Order): SearchChange {
  const others = Object.keys(search).filter((key) => ORDER.test(key))
  return { ...Object.fromEntries(others.map((key) => [key, undefined])), [`order[${name}]`]: direction }
}

/** Returns the parameters of the API request for the rows. */
export function useAsked(collection: Collection, search: Search): Record<string, string> {
  return useMemo(() => {
    const { name, direction } = orderOf(collection, search)
    return { ...narrowing(search), [`order[${name}]`]: direction }
  }, [collection, search])
}

/** Changes the search parameters of the page, replacing the history entry so that Back leaves the page. */
export function useSetSearch(search: Search): (change: SearchChange) => void {
  const navigate = useNavigate()
  return (change) => navigate({ to: '.', search: changed(search, change) as never, replace: true })
}
