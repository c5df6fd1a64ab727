import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type CardKind, type Collection, cardKinds, elementsOf } from '../data/records.ts'
import { useSession } from './use-session.ts'

export interface RecentCard {
  collection: Collection
  id: number
}

/** The number of recent cards that this browser remembers per account. */
const MOST = 8

const place = (account_id: number | undefined) => `patchbay-recent-${account_id}`

/** Returns the recently opened cards, newest first. */
export function useRecentCards(): RecentCard[] {
  return readRecent(useSession().account?.id)
}

/** Remembers opened cards. */
export function useRememberCards(): void {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const account_id = useSession().account?.id
  useEffect(() => {
    const card = cardAt(path)
    if (!card) return
    const others = readRecent(account_id).filter(
      ({ collection, id }) => collection !== card.collection || id !== card.id,
    )
    localStorage.setItem(place(account_id), JSON.stringify([card, ...others].slice(0, MOST)))
  }, [path, account_id])
}

function cardAt(path: string): RecentCard | undefined {
  const [, page = '', first, second] = path.split('/')
  const kind = cardKinds.find((one: CardKind) => one === page)
  const card = kind
    ? { collection: kind, id: Number(first) }
    : { collection: elementsOf(Number(first)), id: Number(second) }
  return (kind || page === 'lists') && Number.isInteger(card.id) ? card : undefined
}

function readRecent(account_id: number | undefined): RecentCard[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place(account_id)) ?? '[]')
    return Array.isArray(kept) ? (kept as RecentCard[]) : []
  } catch {
    return []
  }
}
