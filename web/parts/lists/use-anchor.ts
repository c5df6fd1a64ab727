import { type RefObject, useEffect } from 'react'
import { NEAR_TOP } from './use-still.ts'

interface Anchor {
  row: Element
  /** The box that scrolls. */
  box: Element
  /** Pixels from the start of the list. */
  place: number
}

/** Safari has no scroll anchoring: this keeps the visible rows (`li`) of a list in place when rows come or go above them. */
export function useAnchor(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!list.current || CSS.supports('overflow-anchor', 'auto')) return
    return anchorRows(list.current)
  }, [list])
}

function anchorRows(list: HTMLElement): () => void {
  let anchor: Anchor | undefined
  const topOf = (element: Element) => element.getBoundingClientRect().top
  const placeOf = (row: Element) => topOf(row) - topOf(list)
  const onScroll = ({ target }: Event) => {
    const box = target instanceof Element ? target : document.scrollingElement
    if (!box?.contains(list)) return
    const top = Math.max(0, topOf(box))
    const row = [...list.querySelectorAll('li')].find((item) => topOf(item) >= top)
    anchor = row && { row, box, place: placeOf(row) }
  }
  // A new row is measured when it is drawn, so the size of the list changes twice.
  const observer = new ResizeObserver(() => {
    if (!anchor?.row.isConnected || anchor.box.scrollTop <= NEAR_TOP) return
    const now = placeOf(anchor.row)
    anchor.box.scrollTop += now - anchor.place
    anchor.place = now
  })
  observer.observe(list)
  document.addEventListener('scroll', onScroll, { capture: true, passive: true })
  return () => {
    observer.disconnect()
    document.removeEventListener('scroll', onScroll, { capture: true })
  }
}
