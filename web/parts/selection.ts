import { useMemo, useState } from 'react'

/** Which rows of a list are chosen: some by their ids, or everything that the list would ever give. */
export interface Selection {
  has: (id: number) => boolean
  /** How many: of everything as far as that is known. */
  count: number
  isAll: boolean
  ids: ReadonlySet<number>
  toggle: (id: number) => void
  /** Every row from one to another, both included. */
  addRange: (from: number, to: number) => void
  chooseAll: () => void
  clear: () => void
}

interface Chosen {
  /** The list of which rows were chosen; another one begins with none. */
  of: string
  ids: ReadonlySet<number>
  isAll: boolean
}

const nobody: ReadonlySet<number> = new Set()

/** `of` names the list; `rows` are the ids that were read of it, in order; `total` is how many there are. */
export function useSelection(of: string, rows: readonly number[], total: number | undefined): Selection {
  const [kept, setChosen] = useState<Chosen>({ of, ids: nobody, isAll: false })
  return useMemo(() => {
    const chosen = kept.of === of ? kept : { of, ids: nobody, isAll: false }
    const set = (ids: ReadonlySet<number>, isAll = false) => setChosen({ of, ids, isAll })
    // One row less than everything is what was read, without that row: what nobody has seen is not meant then.
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
