import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { pendingWrites, usePendingWrites, writesTo } from '../../data/writes.ts'
import { useToast } from '../toasts/use-toast.ts'
import { places, placesAfterMove, type Sorted } from './order-places.ts'

interface Order<Id> {
  ids: Id[]
  changed: Sorted<Id>[]
}

/**
 * Items in the order in which people put them. A move is shown at once. `write` gets the items with a new place, and
 * `settle` reads the result. A move during a write waits for it, because writes that overtake each other would leave an
 * order that nobody made. Of several moves that wait, only the last is written. `after` is the place of the last item that
 * cannot move.
 */
export function useOrder<Id extends number | string, Item extends Sorted<Id>>(
  items: Item[],
  write: (changed: Sorted<Id>[]) => Promise<unknown>,
  settle: () => Promise<unknown>,
  after = 0,
) {
  const toast = useToast()
  const place = ['order', useId()]
  const isLast = (order: Order<Id>) => pendingWrites(place).at(-1) === order
  const { mutate } = useMutation({
    ...writesTo(place),
    mutationFn: async (order: Order<Id>) => {
      if (isLast(order)) await write(order.changed)
    },
    onError: toast.refused,
    // The move is pending until its result is read, so that the old order does not reappear.
    onSettled: async (_answer, _error, order) => {
      if (isLast(order)) await settle()
    },
    gcTime: 0,
  })
  const wanted = usePendingWrites<Order<Id>>(place).at(-1)?.ids
  const byId = new Map(items.map((item) => [item.id, item]))
  const isCurrent = wanted?.length === items.length && wanted.every((id) => byId.has(id))
  const ordered = isCurrent ? wanted : [...byId.keys()]
  const move = (from: number, to: number) => {
    const ids = ordered.toSpliced(from, 1).toSpliced(to, 0, ordered[from] as Id)
    const moved = ids.map((id) => byId.get(id) as Item)
    // While another move is pending, it is not known here where the server has the items.
    mutate({ ids, changed: wanted ? places(moved, after) : placesAfterMove(moved, to, after) })
  }
  return { ordered: ordered.map((id) => byId.get(id) as Item), move }
}

/** Writes places where the API takes one thing at a time. */
export const oneByOne =
  <Id>(write: (item: Sorted<Id>) => Promise<unknown>) =>
  async (changed: Sorted<Id>[]): Promise<void> => {
    for (const item of changed) await write(item)
  }
