import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Collection } from '../../data/records.ts'

interface RecordLinkProps {
  collection: Collection
  id: number
  className?: string
  children: ReactNode
  /** Makes the whole row of a DataTable clickable. */
  row?: boolean
  tabIndex?: number
}

/** A link to a card, which is preloaded on hover. */
export function RecordLink({ collection, id, className, children, row, tabIndex }: RecordLinkProps) {
  const rest = { className, tabIndex, ...(row && { 'data-row-link': true }) }
  if (collection.startsWith('catalogs/')) {
    const catalogId = collection.split('/')[1] as string
    return (
      <Link to="/lists/$catalogId/$id" params={{ catalogId, id: String(id) }} {...rest}>
        {children}
      </Link>
    )
  }
  return (
    <Link to={cards[collection as keyof typeof cards]} params={{ id: String(id) }} {...rest}>
      {children}
    </Link>
  )
}

/** Returns the address of a card, for programmatic navigation. */
export const cardAddress = (collection: Collection, id: number) =>
  collection.startsWith('catalogs/')
    ? ({
        to: '/lists/$catalogId/$id',
        params: { catalogId: collection.split('/')[1] as string, id: String(id) },
      } as const)
    : ({ to: cards[collection as keyof typeof cards], params: { id: String(id) } } as const)

const cards = {
  leads: '/leads/$id',
  contacts: '/contacts/$id',
  companies: '/companies/$id',
  customers: '/customers/$id',
} as const
