import { expect, test } from '@playwright/test'
import { visit } from './navigate.ts'
import { signIn, watch } from './people.ts'

test('nothing moves for a person who prefers reduced motion', async ({ page }) => {
  await signIn(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.route('**/web/v4/tasks?**', () => {})
  await page.goto('/tasks')
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  const moving = 'document.getAnimations().filter(({ playState }) => playState === "running").length'
  await expect.poll(() => page.evaluate(moving)).toBe(0)
  await page.emulateMedia({ reducedMotion: null })
})

test('a theme is chosen in the menu of the person, which closes', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  await page.goto('/settings/profile')
  for (const [name, scheme] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
  ] as const) {
    await page.getByRole('button', { name: /Profile, theme, language/ }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  }
  expect(seen).toEqual([])
})

test('a telephone does not zoom into fields, which it does with letters below 16 pixels', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await signIn(page)
  const sizes = () =>
    page.evaluate<string[]>(`[...new Set([...document.querySelectorAll('input, textarea, select')]
      .filter((field) => !/checkbox|radio|file|hidden/.test(field.type) && field.checkVisibility())
      .map((field) => getComputedStyle(field).fontSize))]`)
  await page.goto('/inbox')
  await page.locator('[data-chat-row]').first().click()
  await expect(page.getByPlaceholder('Write a message')).toBeVisible()
  expect(await sizes()).toEqual(['16px'])
  await visit(page, '/settings/roles/1')
  await expect(page.getByRole('combobox', { name: 'Leads: View' })).toBeVisible()
  expect(await sizes()).toEqual(['16px'])
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  expect(await sizes()).toEqual(['16px'])
  await context.close()
})
