import { type RefObject, useLayoutEffect } from 'react'
import type { Stage } from '../../data/pipelines.ts'

/**
 * Keeps the focus at a stage whose column collapses or expands, which replaces its element: the new one takes the focus if
 * the old one had it. `left` is the stage whose element has gone with the focus.
 */
export function useKeptFocus(
  ref: RefObject<HTMLElement | null>,
  { id }: Stage,
  left?: RefObject<number | null>,
): void {
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || !left) return
    if (left.current === id) (element.matches('button') ? element : element.querySelector('button'))?.focus()
    return () => {
      if (element.contains(document.activeElement)) left.current = id
    }
  }, [ref, id, left])
}
