import { useRef, useState } from 'react'
import { useToast } from './use-toast.ts'

interface Sorted<Id> {
  id: Id
  sort: number
}

/** The distance between two neighbours: there is room for one that comes between. */
export const STEP = 10

/**
 * Things in the order in which people put them. A move is seen at once; `write` gets what has another place then, and
 * `settle` reads what came of it. A move made meanwhile waits for both: writes that overtake each other would leave an
 * order that nobody made.
 */
export function useOrder<Id extends number | string, Item extends Sorted<Id>>(
  items: Item[],
  write: (changed: Sorted<Id>[]) => Promise<unknown>,
  settle: () => Promise<unknown>,
) {
  const toast = useToast()
  const [ids, setIds] = useState<Id[]>()
  const wanted = useRef<Id[]>(undefined)
  const byId = new Map(items.map((item) => [item.id, item]))
  const ordered = ids?.every((id) => byId.has(id)) && ids.length === items.length ? ids : [...byId.keys()]
  const writeAll = async () => {
    const sorts = new Map(items.map(({ id, sort }) => [id, sort]))
    for (let written: Id[] | undefined; written !== wanted.current; ) {
      written = wanted.current
      const changed = placed(written ?? []).filter(({ id, sort }) => sorts.get(id) !== sort)
      try {
        if (changed.length > 0) await write(changed)
        for (const { id, sort } of changed) sorts.set(id, sort)
      } catch (error) {
        toast.refused(error)
        for (const { id } of changed) sorts.delete(id)
      }
      if (written === wanted.current) await settle()
    }
    wanted.current = undefined
    setIds(undefined)
  }
  const move = (from: number, to: number) => {
    const after = ordered.toSpliced(from, 1).toSpliced(to, 0, ordered[from] as Id)
    const isUnderWay = wanted.current !== undefined
    wanted.current = after
    setIds(after)
    if (!isUnderWay) void writeAll()
  }
  return { ordered: ordered.map((id) => byId.get(id) as Item), move }
}

const placed = <Id>(ids: Id[]): Sorted<Id>[] => ids.map((id, i) => ({ id, sort: (i + 1) * STEP }))

/** Writes places where the API takes one thing at a time. */
export const oneByOne =
  <Id>(write: (item: Sorted<Id>) => Promise<unknown>) =>
  async (changed: Sorted<Id>[]): Promise<void> => {
    for (const item of changed) await write(item)
  }
