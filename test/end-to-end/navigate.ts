import { expect, type Page } from '@playwright/test'

/** Opens a page of the application in the browser's history, without loading the application again. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[role="status"][aria-label]')).toHaveCount(0)
}

/**
 * Opens a page of the application: loads it if the application is not open yet, and otherwise follows a link to it, which
 * takes a fifth of the time. Returns when the page has replaced the previous one.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const isOpen = await page.evaluate<boolean>(`(async () => {
    const router = self.__TSR_ROUTER__
    if (!router) return false
    await new Promise((resolved) => {
      const stop = router.subscribe('onResolved', () => resolved(stop()))
      router.history.push(${JSON.stringify(path)})
    })
    return true
  })()`)
  if (!isOpen) await page.goto(path)
}
