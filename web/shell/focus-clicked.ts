const CONTROLS = 'button, a[href], input:is([type="checkbox"], [type="radio"])'

/**
 * Focuses the control that is clicked, as most browsers do. Safari, and Firefox on macOS, do not: then a dialog would not
 * know to whom it gives the focus back, and keys would not go on from a clicked row.
 */
export function focusClicked(): void {
  // A control that keeps the focus where it is, such as an option of a list, prevents the default of the mouse button.
  let isKept = false
  window.addEventListener('mousedown', () => (isKept = false), { capture: true })
  window.addEventListener('mousedown', (event) => (isKept = event.defaultPrevented))
  window.addEventListener(
    'click',
    ({ target, isTrusted, detail }) => {
      // Enter in a field clicks the button of its form, too. It counts no clicks.
      if (!isTrusted || detail === 0 || isKept || !(target instanceof Element)) return
      const control = target.closest<HTMLElement>(CONTROLS)
      if (!control?.contains(document.activeElement)) control?.focus({ preventScroll: true })
    },
    { capture: true },
  )
}
