import { useMemo, useState } from 'react'

/** Selected rows: some ids, or all records of the list. */
export interface Selection {
  has: (id: number) => boolean
  /** The number of selected rows, if known. */
  count: number
  isAll: boolean
  ids: ReadonlySet<number>
  toggle: (id: number) => void
  /** Selects all rows between two, including both. */
  addRange: (from: number, to: number) => void
  chooseAll: () => void
  clear: () => void
}

interface Chosen {
  /** The list of the selection; another list starts without one. */
  of: string
  ids: ReadonlySet<number>
  isAll: boolean
}

const nobody: ReadonlySet<number> = new Set()

/**
 * Keeps the selection of a list. `of` names the list, `rows` are the loaded ids in order, and `total` is the
 * number of records.
 */
export function useSelection(of: string, rows: readonly number[], total: number | undefined): Selection {
  const [kept, setChosen] = useState<Chosen>({ of, ids: nobody, isAll: false })
  return useMemo(() => {
    const chosen = kept.of === of ? kept : { of, ids: nobody, isAll: false }
    const set = (ids: ReadonlySet<number>, isAll = false) => setChosen({ of, ids, isAll })
    // Deselecting a row of "all" leaves the loaded rows without it, so that no unseen row stays selected.
    const base = chosen.isAll ? new Set(rows) : chosen.ids
    return {
      has: (id) => chosen.isAll || chosen.ids.has(id),
      count: chosen.isAll ? (total ?? rows.length) : chosen.ids.size,
      isAll: chosen.isAll,
      ids: base,
      toggle: (id) => {
        const ids = new Set(base)
        if (!ids.delete(id)) ids.add(id)
        set(ids)
      },
      addRange: (from, to) => {
        const [first, last] = from < to ? [from, to] : [to, from]
        set(new Set([...base, ...rows.slice(first, last + 1)]))
      },
      chooseAll: () => set(nobody, true),
      clear: () => set(nobody),
    }
  }, [kept, of, rows, total])
}
