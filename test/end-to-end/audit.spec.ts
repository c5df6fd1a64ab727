import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { visit } from './navigate.ts'
import { signIn, watch } from './people.ts'
import { apiOf } from './record-world.ts'

const LONG = 'Long'.repeat(50)

test('an administrator sees changes with links to their subjects, and filters them by person and area', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const api = await apiOf(page)
  const name = `Group ${Date.now()}`
  const group = await api.post('groups', { name })
  await api.patch(`groups/${group.id}`, { name: `${name} renamed` })
  const audience = await api.post('audiences', [{ name: LONG, service: 'Own' }])
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible()
  const today = page.getByRole('list', { name: 'Entries for Today' })
  const renamed = today.getByRole('listitem').filter({ hasText: `${name} renamed` })
  await expect(renamed).toContainText('Group renamed')
  await expect(renamed).toContainText('Ada Demo')
  await expect(today.getByRole('listitem').filter({ hasText: LONG })).toContainText('Audience added')

  await page.getByRole('button', { name: 'Filter' }).click()
  await page
    .getByRole('menuitem', { name: 'Area' })
    .or(page.getByRole('option', { name: 'Area' }))
    .click()
  await page.getByRole('radio', { name: 'People, groups and roles' }).check()
  await expect(page).toHaveURL(/filter%5Barea%5D=people/)
  await expect(today.getByRole('listitem').filter({ hasText: LONG })).toHaveCount(0)
  await expect(renamed).toBeVisible()

  // The address alone restores the filters.
  await page.goto(page.url())
  await expect(renamed).toBeVisible()
  await expect(today.getByRole('listitem').filter({ hasText: LONG })).toHaveCount(0)
  await renamed.getByRole('link', { name: `${name} renamed` }).click()
  await expect(page).toHaveURL(/\/settings\/groups$/)

  await visit(page, '/settings/audit?filter[user_id]=999999')
  await expect(page.getByText('No entries for this filter')).toBeVisible()
  await api.remove(`groups/${group.id}`)
  await api.remove(`audiences/${audience._embedded.audiences[0].id}`)
  await visit(page, '/settings/audit')
  // A deleted subject has a name but no link.
  const removed = today.getByRole('listitem').filter({ hasText: `Group removed` }).first()
  await expect(removed).toContainText(name)
  await expect(removed.getByRole('link', { name })).toHaveCount(0)
  expect(seen).toEqual([])
})

test('the log loads more on scroll and fits a phone', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const api = await apiOf(page)
  const drafts = Array.from({ length: 60 }, (_, i) => ({
    name: `Long ${i} ${LONG}`,
    service: LONG.slice(0, 64),
  }))
  const made = await api.post('audiences', drafts)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/settings/audit?filter[area]=marketing')
  await expect(page.getByText('Long 59', { exact: false }).first()).toBeVisible()
  await checkPage(page, '/settings/audit', 'dark')
  await page.getByRole('listitem').last().scrollIntoViewIfNeeded()
  await expect(page.getByText('Long 0 Long', { exact: false }).first()).toBeVisible()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await checkPage(page, '/settings/audit', 'light')
  for (const { id } of made._embedded.audiences) await api.remove(`audiences/${id}`)
  expect(seen).toEqual([])
})

test('audiences are created, changed and deleted; a survey link and a short link are created for a contact', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const api = await apiOf(page)
  const contact = `Contact${Date.now()}`
  const added = await api.post('contacts', [{ name: contact }])
  const id = added._embedded.contacts[0].id
  await page.goto('/settings/audiences')
  await page.getByRole('button', { name: 'Add audience' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  const name = `Visitors ${Date.now()}`
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('combobox', { name: 'Advertising network' }).fill('Own network')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('Own network')
  await checkPage(page, '/settings/audiences', 'light')
  await row.getByRole('button', { name: new RegExp(`(Delete|Remove).*${name}`) }).click()
  await expect(page.getByRole('dialog')).toContainText('All records are removed from it')
  await page.getByRole('button', { name: 'Delete audience' }).click()
  await expect(row).toHaveCount(0)

  const surveys = page.getByRole('region', { name: 'Surveys' })
  await surveys.getByLabel('Recipient').fill(contact)
  await page.getByRole('option', { name: contact }).click()
  await surveys.getByRole('button', { name: 'Create survey link' }).click()
  await expect(surveys.getByRole('code').first()).toContainText('/survey/')

  const links = page.getByRole('region', { name: 'Short links' })
  await links.getByLabel('Contact', { exact: true }).fill(contact)
  await page.getByRole('option', { name: contact }).click()
  await links.getByRole('textbox', { name: 'Target page' }).fill('example.com')
  await links.getByRole('button', { name: 'Shorten' }).click()
  await expect(links).toContainText('starts with https://')
  await links.getByRole('textbox', { name: 'Target page' }).fill('https://example.com/offer')
  await links.getByRole('button', { name: 'Shorten' }).click()
  await expect(links.getByRole('code').first()).toContainText('/s/')
  await links.getByText('Use the API').click()
  await expect(links.getByText('/api/v4/short_links', { exact: false })).toContainText(String(id))
  expect(seen).toEqual([])
})

test('people who are not administrators see a message', async ({ page, request }) => {
  await signIn(page)
  const answer = await page.request.get('/web/audit')
  expect(answer.status()).toBe(200)
  const refused = await request.get('/web/audit')
  expect(refused.status()).toBe(401)
})
