import type { Page } from '@playwright/test'

/**
 * From now on, a click on a button or link of the open page does not focus it, as in Safari and in Firefox on macOS: the
 * closest element around it that takes the focus gets it, or else nothing has it. The application must be there already.
 */
export const clickLikeSafari = (page: Page): Promise<void> =>
  page.evaluate(`addEventListener('mousedown', (event) => {
    const control = event.target.closest('button, a[href], input:is([type=checkbox], [type=radio])')
    if (!control || control.hasAttribute('tabindex') || event.defaultPrevented) return
    event.preventDefault()
    const around = control.parentElement.closest('[tabindex]')
    if (around) around.focus({ preventScroll: true })
    else document.activeElement.blur()
  })`)
