import { useLayoutEffect } from 'react'

/** Milliseconds after which the focus returns, as in Mantine: something else can take it first. */
const SOON = 10

/**
 * Gives the focus back to the element that opened a dialog, when the dialog closes or unmounts. Mantine does this only for
 * dialogs that are mounted before they open.
 */
export function useOpenerFocus(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return
    const opener = openerOf(document.activeElement)
    return () => {
      const left = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        if (now === null || now === document.body || now === left) opener?.focus({ preventScroll: true })
      }, SOON)
    }
  }, [opened])
}

/** The items of a menu disappear with it, so the focus returns to the button of the menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = (button && document.getElementById(button)) || focused
  return opener instanceof HTMLElement ? opener : null
}
