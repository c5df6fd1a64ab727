import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { ROW } from './list-column.ts'

interface RowKeys {
  scroller: RefObject<HTMLDivElement | null>
  virtualizer: Virtualizer<HTMLDivElement, Element>
  active: number
  setActive: (index: number) => void
  /** The number of loaded rows; keys stop there. */
  count: number
  choose: (index: number, isRange: boolean) => void
}

/**
 * Moves between the rows of a list and selects them by keyboard. The row's link has the focus, so Enter opens it.
 */
export function useRowKeys({ scroller, virtualizer, active, setActive, count, choose }: RowKeys) {
  /** The row that gets the focus when it is the active one: a render from before the key can still come first. */
  const wanted = useRef<number>(undefined)
  useEffect(() => {
    if (wanted.current !== active) return
    const link = scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"] [data-row-link]`)
    if (!link) return
    wanted.current = undefined
    link.focus({ preventScroll: true })
  })
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isInRow(event.target)) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW) - 2)
    const moved = moves[event.key]?.(active, page, count)
    if (moved !== undefined) {
      event.preventDefault()
      const next = Math.max(0, Math.min(moved, count - 1))
      if (event.shiftKey) choose(next, true)
      wanted.current = next
      setActive(next)
      virtualizer.scrollToIndex(next)
    } else if (event.key === ' ' || event.code === 'KeyX') {
      event.preventDefault()
      choose(active, event.shiftKey)
    }
  }
}

const isInRow = (target: EventTarget) =>
  target instanceof HTMLElement && target.closest('[data-index]') !== null

const moves: Record<string, (at: number, page: number, count: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (_at, _page, count) => count - 1,
}
