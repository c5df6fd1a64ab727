import type { InfiniteData } from '@tanstack/react-query'

/** A piece of a list that is walked from the newest on; `next` is where it goes on. */
export interface Stretch<Item> {
  items: Item[]
  next: string | undefined
}
export type GrowingList<Item> = InfiniteData<Stretch<Item>, string | undefined>

/**
 * A list as it is when its newest stretch was read again: what is new stands before the rest, which is not read again,
 * and what is known is as it is now. Null when more is new than was read: then it has to begin anew.
 */
export function withHead<Item extends { id: string }>(
  list: GrowingList<Item>,
  head: Stretch<Item>,
): GrowingList<Item> | null {
  const newest = list.pages.find(({ items }) => items.length > 0)?.items[0]?.id
  if (head.next === undefined) return { pages: [head], pageParams: [undefined] }
  const last = head.items.at(-1)
  if (newest === undefined || !last || last.id > newest) return null
  const fresh = new Map(head.items.map((item) => [item.id, item]))
  const added = head.items.filter(({ id }) => id > newest)
  const pages = list.pages.map(({ items, next }, page) => {
    const now = items.map((item) => fresh.get(item.id) ?? item)
    return { items: page === 0 ? [...added, ...now] : now, next }
  })
  return { ...list, pages }
}
