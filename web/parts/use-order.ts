import { useState } from 'react'
import { useToast } from './use-toast.ts'

interface Sorted {
  id: number
  sort: number
}

/** The distance between two neighbours: there is room for one that comes between. */
const STEP = 10

/**
 * Things in the order in which people put them. A move is seen at once; what has another place then is written one by
 * one, and `settle` reads what came of it.
 */
export function useOrder<Item extends Sorted>(
  items: Item[],
  write: (item: Sorted) => Promise<unknown>,
  settle: () => Promise<unknown>,
) {
  const toast = useToast()
  const [ids, setIds] = useState<number[]>()
  const byId = new Map(items.map((item) => [item.id, item]))
  const ordered = ids?.every((id) => byId.has(id)) && ids.length === items.length ? ids : [...byId.keys()]
  const move = async (from: number, to: number) => {
    const after = ordered.toSpliced(from, 1).toSpliced(to, 0, ordered[from] as number)
    setIds(after)
    const changed = after
      .map((id, i) => ({ id, sort: (i + 1) * STEP }))
      .filter(({ id, sort }) => byId.get(id)?.sort !== sort)
    try {
      for (const item of changed) await write(item)
    } catch (error) {
      toast.refused(error)
    }
    await settle()
    setIds(undefined)
  }
  return { ordered: ordered.map((id) => byId.get(id) as Item), move }
}
