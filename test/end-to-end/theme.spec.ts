import { expect, test } from '@playwright/test'
import { signIn, watch } from './people.ts'

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
