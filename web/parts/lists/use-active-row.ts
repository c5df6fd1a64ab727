import { useCallback, useEffect, useRef, useState } from 'react'

interface Active {
  index: number
  /** The record of the row. Undefined until a row was chosen: then the first row is active. */
  id: number | undefined
}

/**
 * The row of a list that Tab reaches. It is the same record when rows are added or removed before it; if its record
 * disappears, the row that takes its place is active.
 */
export function useActiveRow(rows: readonly { id: number }[]) {
  const [kept, keep] = useState<Active>({ index: 0, id: undefined })
  const found = placeOf(kept, rows)
  if (found !== -1 && found !== kept.index) keep({ ...kept, index: found })
  const active = found === -1 ? Math.min(kept.index, Math.max(rows.length - 1, 0)) : found
  const now = useRef(rows)
  useEffect(() => {
    now.current = rows
  })
  const setActive = useCallback((index: number) => keep({ index, id: now.current[index]?.id }), [])
  return { active, setActive }
}

/** Returns where the active record is now; -1 if it is not in the list. */
function placeOf({ index, id }: Active, rows: readonly { id: number }[]): number {
  if (id === undefined) return -1
  return rows[index]?.id === id ? index : rows.findIndex((row) => row.id === id)
}
