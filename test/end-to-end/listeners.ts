import type { Page } from '@playwright/test'

/** The number of functions that the document calls at a press of the mouse. A mounted menu has one, open or not. */
export async function mouseListeners(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  const { result } = await devtools.send('Runtime.evaluate', { expression: 'document' })
  const { listeners } = await devtools.send('DOMDebugger.getEventListeners', {
    objectId: String(result.objectId),
  })
  await devtools.detach()
  return listeners.filter(({ type }) => type === 'mousedown').length
}
