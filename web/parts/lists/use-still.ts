import type { Virtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef } from 'react'

/** Pixels from the top that still count as the top. */
export const NEAR_TOP = 4

interface Still<Row> {
  virtual: Virtualizer<HTMLDivElement, Element>
  rows: readonly Row[]
  /** The key of a row. Undefined for a row that is no anchor, such as the heading of a day. */
  keyOf: (row: Row) => string | number | undefined
  /** Names the list that the rows are of: the rows of another one, or in another order, have no place to keep. */
  of?: string | undefined
  /** Keeps the rows in place also if the list is at its top. */
  isHeldAtTop?: boolean
}

/** Keeps the visible rows of a virtual list in place when rows come or go above them. */
export function useStill<Row>({ virtual, rows, keyOf, of, isHeldAtTop = false }: Still<Row>): void {
  const shown = useRef({ of, rows, starts: new Map<string | number, number>() })
  useLayoutEffect(() => {
    const { starts, ...before } = shown.current
    const box = virtual.scrollElement
    const startOf = (row: Row | undefined) => starts.get((row && keyOf(row)) ?? '')
    if (box && before.of === of && before.rows !== rows && (isHeldAtTop || box.scrollTop > NEAR_TOP)) {
      const at = rows.findIndex((row) => (startOf(row) ?? -1) >= box.scrollTop)
      const was = startOf(rows[at])
      const is = virtual.measurementsCache[at]?.start
      if (was !== undefined && is !== undefined && is !== was) box.scrollTop += is - was
    }
    const drawn = virtual.getVirtualItems().flatMap(({ index, start }) => {
      const row = rows[index]
      const key = row && keyOf(row)
      return key === undefined ? [] : [[key, start] as const]
    })
    shown.current = { of, rows, starts: new Map(drawn) }
  })
}
