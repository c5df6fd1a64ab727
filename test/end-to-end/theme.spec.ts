import { expect, test } from '@playwright/test'
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
