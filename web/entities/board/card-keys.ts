import type { KeyboardEvent } from 'react'

/** Arrow keys move between cards; with Shift they move the lead to another stage. */
export function onCardKey(event: KeyboardEvent, onShift: (lead: number, by: -1 | 1) => void): void {
  const card = (event.target as HTMLElement).closest<HTMLElement>('[data-lead]')
  if (!card || event.ctrlKey || event.metaKey || event.altKey) return
  const by = aside[event.key]
  if (event.shiftKey && by) {
    event.preventDefault()
    onShift(Number(card.dataset.lead), by)
    return
  }
  const next = event.shiftKey ? undefined : by ? cardBeside(card, by) : cardUnder(card, along[event.key])
  if (!next) return
  event.preventDefault()
  next.querySelector('a')?.focus()
}

const aside: Record<string, -1 | 1 | undefined> = { ArrowLeft: -1, ArrowRight: 1 }
const along: Record<string, -1 | 1 | undefined> = { ArrowUp: -1, ArrowDown: 1 }

/** Returns the previous or next card of a column; undefined if it is not rendered. */
function cardUnder(card: HTMLElement, by: -1 | 1 | undefined) {
  const place = card.closest<HTMLElement>('[data-index]')
  if (!by || !place) return undefined
  const next = Number(place.dataset.index) + by
  return place.parentElement?.querySelector<HTMLElement>(`[data-index="${next}"] [data-lead]`)
}

/** Returns the card at the nearest height in the next column that has cards. */
function cardBeside(card: HTMLElement, by: -1 | 1) {
  const column = card.closest('[data-column]')
  const columns = [...(column?.parentElement?.querySelectorAll(':scope > [data-column]') ?? [])]
  const { top } = card.getBoundingClientRect()
  for (let at = columns.indexOf(column as Element) + by; columns[at]; at += by) {
    const cards = [...(columns[at]?.querySelectorAll<HTMLElement>('[data-lead]') ?? [])]
    const away = (one: HTMLElement) => Math.abs(one.getBoundingClientRect().top - top)
    const nearest = cards.toSorted((a, b) => away(a) - away(b))[0]
    if (nearest) return nearest
  }
  return undefined
}
