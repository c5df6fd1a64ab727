import { expect, type Page, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { visit } from './navigate.ts'
import { register, watch } from './people.ts'
import { addRecord, administrator, personOn } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const unique = (name: string) => `${name} ${Math.random().toString(36).slice(2, 8)}`
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const box = (page: Page) => page.getByRole('combobox', { name: 'Search', exact: true })
const option = (page: Page, name: string) => dialog(page).getByRole('option', { name })

const isThere = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible()

async function search(page: Page, words: string): Promise<void> {
  await isThere(page)
  // The keys of an open dialog are its own, also while it closes.
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await box(page).fill(words)
}

test('records of every kind, tasks and pages are found from anywhere and opened by keyboard', async ({
  page,
}) => {
  const seen = watch(page)
  const api = await administrator(page)
  const name = unique('Quicksilver')
  const phone = `+3460${Math.random().toString().slice(2, 9)}`
  const lead = await addRecord(api, 'leads', { name: `${name} sale`, price: 12_500 })
  await addRecord(api, 'contacts', {
    name,
    custom_fields_values: [{ field_code: 'PHONE', values: [{ value: phone }] }],
  })
  await addRecord(api, 'companies', { name: `${name} Ltd` })
  await addRecord(api, 'tasks', { text: `Call ${name}`, complete_till: 2_000_000_000 })
  await page.goto('/')
  await isThere(page)

  await search(page, name)
  await expect(dialog(page).getByRole('group', { name: 'Leads' })).toContainText('$12,500')
  await expect(dialog(page).getByRole('group', { name: 'Contacts' })).toContainText(phone.slice(-4))
  await expect(dialog(page).getByRole('group', { name: 'Companies' })).toContainText('Ltd')
  await expect(dialog(page).getByRole('group', { name: 'Tasks' })).toContainText(`Call ${name}`)
  await expect(dialog(page)).toContainText('Searches the names and fields of records')
  await expect(option(page, `${name} sale`)).toHaveAttribute('aria-selected', 'true')
  await box(page).press('ArrowDown')
  await expect(option(page, `${name} sale`)).toHaveAttribute('aria-selected', 'false')
  await box(page).press('ArrowUp')
  await box(page).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/leads/${lead}$`))
  await expect(dialog(page)).toHaveCount(0)

  // Recently opened records come first, with and without a search.
  await search(page, '')
  await expect(dialog(page).getByRole('group', { name: 'Recently opened' })).toContainText(`${name} sale`)
  await box(page).fill(name)
  await expect(dialog(page).getByRole('group').first()).toHaveAccessibleName('Recently opened')
  await box(page).fill('pipel')
  await expect(option(page, 'Pipelines')).toHaveAttribute('aria-selected', 'true')
  await box(page).press('Enter')
  await expect(page).toHaveURL(/\/settings\/pipelines$/)

  // Enter waits for the results of what is typed, and never opens one of what was typed before.
  await search(page, '')
  await expect(option(page, `${name} sale`)).toHaveAttribute('aria-selected', 'true')
  await box(page).fill('webhook')
  await box(page).press('Enter')
  await expect(page).toHaveURL(/\/settings\/webhooks$/)
  expect(seen).toEqual([])
})

test('a person finds only permitted records, by the navigation button too', async ({ page, request }) => {
  const admin = await administrator({ request })
  const name = unique('Hidden')
  await addRecord(admin, 'leads', { name })
  await addRecord(admin, 'contacts', { name })
  const none = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' }
  const rights = { leads: none }
  const { page: there } = await personOn(page, admin, { name: 'Noor Narrow', rights })
  await there.goto('/')
  const nav = there.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByRole('link', { name: 'Contacts' })).toBeVisible()
  // Pages without permitted content are not shown.
  for (const name of ['Leads', 'Customers', 'Integrations'])
    await expect(nav.getByRole('link', { name })).toHaveCount(0)
  await nav.getByRole('button', { name: 'Search' }).click()
  await box(there).fill(name)
  await expect(dialog(there).getByRole('group', { name: 'Contacts' })).toContainText(name)
  await expect(dialog(there).getByRole('group', { name: 'Leads' })).toHaveCount(0)
  await box(there).fill('people')
  await expect(option(there, 'People')).toHaveCount(0)
})

test('integrations are found by name from anywhere and in their list', async ({ page }) => {
  const seen = watch(page)
  await administrator(page)
  const name = unique('Zigzag')
  await register(page, { name, redirect_uri: 'https://zigzag.example/back' })
  await page.goto('/')
  await search(page, name.toLowerCase())
  await expect(dialog(page).getByRole('group', { name: 'Integrations' })).toContainText(name)
  await box(page).press('Enter')
  await expect(page.getByRole('heading', { name })).toBeVisible()

  await visit(page, '/integrations/built')
  const rows = page.getByRole('table', { name: 'Built here' }).getByRole('row')
  await expect(rows.filter({ hasText: name })).toBeVisible()
  const count = await rows.count()
  expect(count).toBeGreaterThan(2)
  const narrow = page.getByRole('searchbox', { name: 'Search' })
  await narrow.fill(name.toUpperCase())
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText(name)
  await narrow.fill('zigzag.example')
  await expect(rows.filter({ hasText: name })).toBeVisible()
  await narrow.fill(`no ${name}`)
  await expect(page.getByText('Nothing matches')).toBeVisible()
  expect(seen).toEqual([])
})

test('the shortcuts of all pages are listed and work', async ({ page }) => {
  await administrator(page)
  await page.goto('/')
  await isThere(page)
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys).toContainText('Search everything')
  for (const name of ['Tasks', 'Events', 'Companies', 'Pipelines', 'Audit log'])
    await expect(keys).toContainText(name)
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/\/tasks$/)
  // On pages without a search, the slash opens the global one.
  await visit(page, '/')
  await isThere(page)
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
})

for (const colorScheme of themesOf('search')) {
  test(`the search and the navigation in ${colorScheme} and on a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    const api = await administrator(page)
    const name = unique('Z').replace(' ', '') + 'anonymous'.repeat(22)
    await addRecord(api, 'contacts', { name })
    await page.goto('/')
    await search(page, name.slice(0, 12))
    await expect(option(page, name)).toBeVisible()
    await checkPage(page, 'search', colorScheme)
    await page.setViewportSize({ width: 390, height: 844 })
    await checkPage(page, 'search-telephone', colorScheme)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Tasks' })).toBeVisible()
    await checkPage(page, 'navigation-telephone', colorScheme)
  })
}
