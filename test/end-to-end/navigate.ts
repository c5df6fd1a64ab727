import { expect, type Page } from '@playwright/test'

const soon = { timeout: 30_000 }

/** Opens a page of the application in the browser's history, without loading the application again. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible(soon)
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[role="status"][aria-label]')).toHaveCount(0, soon)
}
