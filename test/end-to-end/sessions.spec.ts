import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { signInAs, watch } from './people.ts'
import { administrator } from './record-world.ts'

const PASSWORD = 'a-long-enough-password'

test('a person sees where they are signed in, and signs out everywhere else', async ({
  page,
  browser,
  baseURL,
}) => {
  const api = await administrator(page)
  const email = `traveller-${Date.now()}@sessions.example`
  await api.post('users', [{ name: 'Travelling Tess', email, password: PASSWORD }])
  const contextOf = async (userAgent?: string) =>
    browser.newContext({ ...(baseURL && { baseURL }), ...(userAgent && { userAgent }) })
  const elsewhere = await contextOf(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 Version/26.1 Mobile Safari/604.1',
  )
  const phone = await elsewhere.newPage()
  await signInAs(phone, email, PASSWORD)
  const here = await contextOf()
  const own = await here.newPage()
  const seen = watch(own)
  await signInAs(own, email, PASSWORD)
  await own.goto('/settings/profile')
  const rows = own.getByRole('table', { name: 'Sessions' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('This browser')
  await expect(rows.nth(2)).toContainText('Safari, iPhone')
  await checkPage(own, 'sessions', 'light')
  await own.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await own.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(rows).toHaveCount(2)
  await expect(own.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0)
  await phone.goto('/tasks')
  await expect(phone).toHaveURL(/sign-in/)
  expect(seen).toEqual([])
  await here.close()
  await elsewhere.close()
})

test('the page to sign in leads on a person who is signed in already', async ({ page }) => {
  await administrator(page)
  await page.goto('/sign-in')
  await expect(page).toHaveURL(/^https?:\/\/[^/]+\/$/)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.goto('/sign-in?to=%2Ftasks')
  await expect(page.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
  // Never to another host.
  await page.goto('/sign-in?to=%2F%2Felsewhere.example%2F')
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/$/)
})
