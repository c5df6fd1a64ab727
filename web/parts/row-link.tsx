import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import type { Collection } from '../data/records.ts'
import { cardAddress } from './record-link.tsx'

interface RowLinkProps {
  collection: Collection
  id: number
  className?: string
  tabIndex?: number
  /** The link is that of its whole row. */
  row?: boolean
  children: ReactNode
}

/**
 * A RecordLink for rows that come and go by the hundred while one scrolls: that one asks the router with every drawing
 * whether it leads to the present page, which no row does.
 */
export function RowLink({ collection, id, className, tabIndex, row, children }: RowLinkProps) {
  const router = useRouter()
  const go = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.navigate(cardAddress(collection, id))
  }
  const ahead = () => {
    router.preloadRoute(cardAddress(collection, id)).catch(() => {})
  }
  return (
    <a
      href={`/${collection.replace(/^catalogs\/(\d+)\/elements$/, 'lists/$1')}/${id}`}
      className={className}
      tabIndex={tabIndex}
      data-row-link={row || undefined}
      onClick={go}
      onMouseEnter={ahead}
      onFocus={ahead}
    >
      {children}
    </a>
  )
}
