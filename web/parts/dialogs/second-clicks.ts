/**
 * Ignores the second click of a double click on a dialog that the first one closed. Without a transition, as for a person
 * who prefers reduced motion, the dialog is gone by then, and the click would press something of the page below.
 */
export function ignoreSecondClicks(): void {
  let dialog: Element | null = null
  const filter = (event: MouseEvent) => {
    const { target, detail, type } = event
    if (detail > 1 && dialog?.isConnected === false) {
      event.preventDefault()
      event.stopPropagation()
    } else if (type === 'click') dialog = target instanceof Element ? target.closest('[role="dialog"]') : null
  }
  window.addEventListener('mousedown', filter, { capture: true })
  window.addEventListener('click', filter, { capture: true })
}
