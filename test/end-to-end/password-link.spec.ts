import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { signInAs, watch } from './people.ts'
import { administrator } from './record-world.ts'

const OLD = 'a-long-enough-password'
const NEW = 'another-long-password'

test('an administrator creates a link that sets a new password once', async ({ page, browser, baseURL }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const email = `forgetful-${Date.now()}@links.example`
  const added = await api.post('users', [{ name: 'Forgetful Fay', email, password: OLD }])
  await page.goto(`/settings/people/${added._embedded.users[0].id}`)
  await page.getByRole('button', { name: 'Set a new password' }).click()
  const dialog = page.getByRole('dialog', { name: 'New password for Forgetful Fay' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = (await dialog.getByRole('code').textContent()) ?? ''
  expect(link).toMatch(new RegExp(`^${baseURL}/[\\w/-]+#[\\w-]{20,}$`))
  await expect(dialog).toContainText('It works once')
  await checkPage(page, 'password link', 'light')

  // The administrator tries the link, instead of the person whom it is for.
  const tried = await page.context().newPage()
  await tried.goto(link)
  await expect(tried.getByText('You are signed in as')).toContainText('If this link is for somebody else')
  await tried.close()

  const context = await browser.newContext({ ...(baseURL && { baseURL }) })
  const own = await context.newPage()
  const ownSeen = watch(own)
  const fill = async (password: string, again: string) => {
    await own.getByLabel('New password', { exact: true }).fill(password)
    await own.getByLabel('Repeat new password', { exact: true }).fill(again)
    await own.getByRole('button', { name: 'Set password and sign in' }).click()
  }
  await own.goto(link)
  await fill(NEW, OLD)
  await expect(own.getByText('The passwords do not match.')).toBeVisible()
  await checkPage(own, 'new password', 'light')
  await fill(NEW, NEW)
  await expect(own).toHaveURL(`${baseURL}/`)
  await expect(own.getByText('Forgetful Fay').first()).toBeVisible()

  // The link works once, and the old password no longer works.
  await own.context().clearCookies()
  await own.goto(link)
  await fill('yet-another-password', 'yet-another-password')
  await expect(own.getByRole('alert')).toContainText('This link no longer works')
  await signInAs(own, email, NEW)
  expect([...seen, ...ownSeen]).toEqual([])
  await context.close()
})
