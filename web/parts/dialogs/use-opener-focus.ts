import { type RefObject, useLayoutEffect } from 'react'

/** Milliseconds after which the focus returns, as in Mantine: something else can take it first. */
const SOON = 10

/**
 * Gives the focus back to the element that opened a dialog, when the dialog closes or unmounts. Mantine does this only for
 * dialogs that are mounted before they open. If the element is gone, as a deleted row, a control near it gets the focus.
 */
export function useOpenerFocus(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return
    const opener = lastFocused()
    const around = opener ? placesAround(opener) : openDialogs()
    return () => {
      const left = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        if (now !== null && now !== document.body && now !== left) return
        const next = opener?.isConnected ? opener : controlIn(around)
        next?.focus({ preventScroll: true })
      }, SOON)
    }
  }, [opened])
}

/**
 * If an element disappears with the focus, as a row of a list, the next row gets the focus, or else a control near it. If
 * the whole page disappears, the main part gets it, and nothing on the next page.
 */
export function useFocusNear(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (!element?.contains(lastFocused())) return
      // The next keys of somebody who is typing must press nothing.
      const isTyping = document.activeElement?.matches('textarea, input:not([type="checkbox"])')
      const around = isTyping ? [] : placesAround(element).filter((place) => place.closest('#main > *'))
      setTimeout(() => {
        const now = document.activeElement
        if (now !== null && now !== document.body) return
        const next = controlIn(around) ?? document.getElementById('main')
        next?.focus({ preventScroll: true })
      }, SOON)
    }
  }, [ref])
}

/** The element that was focused or pressed last. */
let last: HTMLElement | null = null

document.addEventListener('focusin', ({ target }) => keep(target), { capture: true })
document.addEventListener('pointerdown', ({ target }) => keep(target), { capture: true })

function keep(target: EventTarget | null) {
  const control =
    target instanceof Element ? target.closest('a[href], button, input, textarea, [tabindex]') : null
  last = openerOf(control)
}

/** The focused element. A menu that closed without a transition has taken the focus with it: then the button of the menu. */
function lastFocused(): HTMLElement | null {
  const now = document.activeElement
  return now === null || now === document.body ? last : openerOf(now)
}

/** The items of a menu disappear with it, so the focus returns to the button of the menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = (button && document.getElementById(button)) || focused
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

/** The dialogs below this one, of which the last is on top. */
const openDialogs = () => [...document.querySelectorAll('[role="dialog"]')].reverse()

/** The places around an element, the closest ones first. Beside a row are the rows after it, and those before it. */
function placesAround(element: Element | null): Element[] {
  const above = element?.parentElement
  if (!above || above === document.body) return []
  return [...(element.matches('li, tr') ? rowsBeside(element, above) : []), above, ...placesAround(above)]
}

function rowsBeside(row: Element, { children }: Element): Element[] {
  const rows = [...children]
  const at = rows.indexOf(row)
  return [...rows.slice(at + 1), ...rows.slice(0, at).reverse()]
}

/** The control in the closest place that is still there and has one: the one that a dialog begins with, else the first. */
function controlIn(places: Element[]): HTMLElement | undefined {
  for (const place of places.filter(({ isConnected }) => isConnected)) {
    const begin = place.querySelector<HTMLElement>('[data-autofocus]')
    const controls = place.querySelectorAll<HTMLElement>('a[href], button:enabled, input:enabled')
    const shown = begin ?? [...controls].find((control) => control.tabIndex >= 0 && control.checkVisibility())
    if (shown) return shown
  }
}
