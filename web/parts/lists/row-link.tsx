import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import type { Collection } from '../../data/records.ts'
import { cardAddress } from '../records/record-link.tsx'

interface RowLinkProps {
  collection: Collection
  id: number
  className?: string
  tabIndex?: number
  /** Makes the whole row clickable. */
  row?: boolean
  children: ReactNode
}

/**
 * A RecordLink for virtual lists. RecordLink would check on every render whether it is the current page, which a
 * row never is.
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
