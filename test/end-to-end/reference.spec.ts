import { expect, type Page, test } from '@playwright/test'
import { isLong } from '../long.ts'
import { demo, watch } from './people.ts'

/** Opens an operation by its path. */
async function open(page: Page, method: string, path: string): Promise<ReturnType<Page['locator']>> {
  const operation = page.locator('.opblock', {
    has: page.locator(`.opblock-summary-path[data-path="${path}"]`),
    hasText: method,
  })
  await operation.getByRole('button').first().click()
  return operation
}

for (const colorScheme of isLong ? (['light', 'dark'] as const) : (['light'] as const))
  test(`the reference in ${colorScheme} describes an operation and calls it with a token, without policy violations`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ baseURL, colorScheme })
    const page = await context.newPage()
    const seen = watch(page)
    // Two megabytes of script and the description load first, which may be slow.
    test.setTimeout(180_000)
    const described = page.waitForResponse(/openapi/, { timeout: 0 })
    await page.goto('/api/reference')
    await described
    await expect(page.getByRole('heading', { name: /^Patchbay/ })).toBeVisible({ timeout: 0 })
    await expect(page.getByText('Lists leads, filtered, searched')).toBeHidden()
    await page.screenshot({ path: `test-results/pages/${colorScheme}-reference.png` })

    await page.getByRole('button', { name: 'Authorize' }).click()
    const bearer = page.locator('form', { hasText: 'bearer (http, Bearer)' })
    await bearer.getByLabel('auth-bearer-value').fill(demo.tokens.access_token)
    await bearer.getByRole('button', { name: 'Apply credentials' }).click()
    await page.getByRole('button', { name: 'Close' }).first().click()

    await page.locator('#operations-tag-Account').click()
    const account = await open(page, 'GET', '/api/v4/account')
    await expect(account.getByText('Additional parts of the response.')).toBeVisible()
    await account.getByRole('button', { name: 'Execute' }).click()
    const live = account.locator('.live-responses-table')
    await expect(live.locator('.response-col_status').last()).toContainText('200')
    await expect(live).toContainText('application/hal+json')
    await page.screenshot({ path: `test-results/pages/${colorScheme}-reference-called.png`, fullPage: true })
    expect(seen).toEqual([])
    await context.close()
  })
