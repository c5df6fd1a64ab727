import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { checkPage, settle, themesOf } from './check-page.ts'
import { followsLive } from './live.ts'
import { visit } from './navigate.ts'
import { ask } from './own-api.ts'
import { signIn, watch } from './people.ts'
import { apiOf } from './record-world.ts'

interface Stock {
  /** A word that only this test's records contain. */
  word: string
  field: string
  field_id: number
  names: string[]
}

/** Creates leads for one test, with a select field, a number and a price. */
async function stock(page: Page, count = 6): Promise<Stock> {
  const word = `x${randomUUID().slice(0, 8)}`
  const field = `Colour ${word}`
  const enums = ['Red', 'Green', 'Blue'].map((value, i) => ({ value, sort: i }))
  const made = await ask<{ _embedded: { custom_fields: { id: number }[] } }>(
    page,
    'POST',
    '/web/v4/leads/custom_fields',
    [{ name: field, type: 'select', enums }],
  )
  const field_id = made._embedded.custom_fields[0]?.id as number
  const names = Array.from({ length: count }, (_, i) => `${word} ${String(i).padStart(3, '0')}`)
  const leads = names.map((name, i) => ({
    name,
    price: 1_000 * (i + 1),
    custom_fields_values: [{ field_id, values: [{ value: enums[i % 3]?.value }] }],
  }))
  for (let at = 0; at < leads.length; at += 50)
    await ask(page, 'POST', '/web/v4/leads', leads.slice(at, at + 50))
  return { word, field, field_id, names }
}

/** A reloaded page needs more time. */
const grid = (page: Page) => page.getByRole('grid', { name: 'Leads' })
const links = (page: Page) => grid(page).locator('[data-row-link]')
const filterButton = (page: Page) => page.getByRole('button', { name: 'Filter', exact: true })

async function openList(page: Page, { word }: Stock): Promise<void> {
  await page.goto(`/leads?shape=list&query=${word}`)
  await expect(links(page).first()).toBeVisible()
}

async function filterBy(page: Page, title: string): Promise<void> {
  await filterButton(page).click()
  await page.getByRole('textbox', { name: 'Filter by…' }).fill(title)
  await page.getByRole('option', { name: title, exact: true }).click()
}

test('a list is filtered by a custom field, sorted and searched; its address has all of it', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const own = await stock(page)
  await openList(page, own)
  await expect(links(page)).toHaveCount(6)

  await filterButton(page).click()
  await expect(page.getByRole('textbox', { name: 'Filter by…' })).toBeFocused()
  await page.keyboard.type(own.field)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Green' }).check()
  await expect(links(page)).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: 'in the list' })).toHaveText('2 in the list')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `${own.field} Green` })).toBeVisible()

  await page.getByRole('button', { name: 'Sale', exact: true }).last().click()
  await expect(links(page)).toHaveText([own.names[4] as string, own.names[1] as string])
  await expect(page.getByRole('columnheader', { name: 'Sale' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('columnheader', { name: 'Sale' }).getByRole('button').click()
  await expect(links(page)).toHaveText([own.names[1] as string, own.names[4] as string])

  await page.getByRole('searchbox', { name: 'Search' }).fill(own.names[4] as string)
  await expect(links(page)).toHaveText([own.names[4] as string])

  const { href } = new URL(page.url())
  await page.goto(href)
  await expect(links(page)).toHaveText([own.names[4] as string])
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue(own.names[4] as string)
  const search = new URL(href).searchParams
  search.delete('shape')
  const answer = await ask<{ _embedded: { leads: { name: string }[] } }>(
    page,
    'GET',
    `/web/v4/leads?${search}`,
  )
  expect(answer._embedded.leads.map(({ name }) => name)).toEqual([own.names[4]])

  await page.getByRole('button', { name: `Remove the filter “${own.field}”` }).click()
  await expect(page.getByRole('button', { name: `${own.field} Green` })).toHaveCount(0)
  expect(new URL(page.url()).search).not.toContain('custom_fields_values')
  expect(seen).toEqual([])
})

test('numbers and days filter too, and a filter without results can be cleared', async ({ page }) => {
  await signIn(page)
  const own = await stock(page)
  await openList(page, own)
  await filterBy(page, 'Sale')
  await page.getByRole('textbox', { name: 'From' }).fill('2500')
  await expect(links(page)).toHaveCount(4)
  await page.getByRole('textbox', { name: 'To' }).fill('4000')
  await expect(links(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await filterBy(page, 'Created')
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(links(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await expect(page.getByText('No records match these filters')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Created Yesterday' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await expect(links(page).first()).toBeVisible()
})

test('a filter of a field that was deleted can be removed', async ({ page }) => {
  await signIn(page)
  const api = await apiOf(page)
  const name = `Gone ${Date.now()}`
  const { _embedded } = await api.post('leads/custom_fields', [{ name, type: 'text' }])
  const field = _embedded.custom_fields[0].id
  await page.goto(`/leads?shape=list&filter[custom_fields_values][${field}][]=blue`)
  await expect(page.getByRole('button', { name: `Remove the filter “${name}”` })).toBeVisible()
  await api.remove(`leads/custom_fields/${field}`)
  await page.reload()
  await expect(page.getByText(`names an unknown field: ${field}`)).toBeVisible()
  await page.getByRole('button', { name: 'Deleted field', exact: true }).click()
  await expect(page.getByText('This field was deleted.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove the filter “Deleted field”' }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page).not.toHaveURL(/custom_fields_values/)
})

test('a view is saved, reopened, changed and deleted', async ({ page }) => {
  await signIn(page)
  const own = await stock(page)
  const name = `View ${own.word}`
  await page.goto(`/leads?shape=list&query=${own.word}&filter[price][from]=3000`)
  await expect(links(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const views = page.getByRole('navigation', { name: 'Saved views' })
  await expect(views.getByRole('link', { name })).toBeVisible()

  await visit(page, '/leads?shape=list')
  await views.getByRole('link', { name }).click()
  await expect(links(page)).toHaveCount(4)
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Remove the filter “Sale”' }).click()
  await expect(links(page)).toHaveCount(6)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await page.goto('/leads?shape=list')
  await views.getByRole('link', { name }).click()
  await expect(links(page)).toHaveCount(6)

  await page.getByRole('button', { name: `View “${name}”` }).click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  await page.getByRole('button', { name: 'Delete view' }).last().click()
  await expect(page.getByRole('link', { name })).toHaveCount(0)
})

test('all results of a search are selected and changed, and the export equals the API’s list', async ({
  page,
}) => {
  await signIn(page)
  const own = await stock(page, 130)
  const tag = `tag ${own.word}`
  await openList(page, own)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  const bulk = page.getByRole('region', { name: 'Selection' })
  await expect(bulk.getByText('130 selected')).toBeVisible()
  await bulk.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('combobox', { name: 'Add tags' }).fill(tag)
  await page.getByRole('combobox', { name: 'Add tags' }).press('Enter')
  // The dropdown covers the button.
  await page.getByRole('button', { name: 'Change 130' }).press('Enter')
  const tagged = async () => {
    // An empty list has no body (V4).
    const found = await ask<{ _embedded: { tags: { id: number }[] } } | undefined>(
      page,
      'GET',
      `/web/v4/leads/tags?query=${encodeURIComponent(tag)}`,
    )
    const id = found?._embedded.tags[0]?.id
    if (id === undefined) return 0
    return (await ask<{ total: number }>(page, 'GET', `/web/v4/leads/totals?filter[tags]=${id}`)).total
  }
  await expect.poll(tagged).toBe(130)
  await expect(grid(page).getByText(tag).first()).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export as NDJSON' }).click()
  const chunks: Buffer[] = []
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk)
  const exported = Buffer.concat(chunks)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name)
  const order = 'order[created_at]=desc&limit=250'
  const listed = await ask<{ _embedded: { leads: { name: string }[] } }>(
    page,
    'GET',
    `/web/v4/leads?query=${own.word}&${order}`,
  )
  expect(exported).toEqual(listed._embedded.leads.map(({ name }) => name))
  expect(exported).toHaveLength(130)
})

test('the keyboard moves between rows, selects them and opens one', async ({ page }) => {
  await signIn(page)
  const own = await stock(page)
  await page.goto(`/leads?shape=list&query=${own.word}&order[name]=asc`)
  await expect(links(page)).toHaveCount(6)
  await links(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(links(page).nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(links(page).nth(5)).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('x')
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.keyboard.press('Space')
  await expect(page.getByText('2 selected')).toBeVisible()
  await expect(grid(page).getByRole('row', { selected: true })).toHaveCount(2)
  await grid(page)
    .getByRole('row')
    .nth(6)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect(page.getByText('6 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await links(page).nth(2).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/leads\/\d+/)
})

test('selected columns are in the address and restored', async ({ page }) => {
  await signIn(page)
  const own = await stock(page)
  await openList(page, own)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('textbox', { name: 'Find a column' }).fill(own.field)
  await page.getByRole('checkbox', { name: own.field }).check()
  await grid(page).getByRole('gridcell', { name: '$1,000' }).click()
  await expect(page.getByRole('textbox', { name: 'Find a column' })).toBeHidden()
  await expect(page.getByRole('columnheader', { name: own.field })).toBeVisible()
  await expect(grid(page).getByRole('gridcell', { name: 'Red' }).first()).toBeVisible()
  expect(new URL(page.url()).searchParams.get('columns')).toContain(`field_${own.field_id}`)
  await page.goto('/leads?shape=list')
  await expect(page.getByRole('columnheader', { name: own.field })).toBeVisible()
})

test('changes of another person appear immediately', async ({ page }) => {
  await signIn(page)
  const own = await stock(page)
  await openList(page, own)
  const { _embedded } = await ask<{ _embedded: { leads: { id: number }[] } }>(
    page,
    'GET',
    `/web/v4/leads?query=${own.word}&limit=1`,
  )
  await ask(page, 'PATCH', `/web/v4/leads/${_embedded.leads[0]?.id}`, { name: `${own.word} renamed` })
  await expect(links(page).filter({ hasText: 'renamed' })).toBeVisible()
})

test('a row that arrives above changes neither the focused row nor the rows in sight', async ({ page }) => {
  await signIn(page)
  const own = await stock(page, 60)
  const add = (name: string) => ask(page, 'POST', '/web/v4/leads', [{ name: `${own.word} ${name}` }])
  const live = followsLive(page)
  await openList(page, own)
  await live
  const [focused = '', next = ''] = (await links(page).allTextContents()).slice(3, 5)
  const link = (name: string) => links(page).filter({ hasText: name })
  await link(focused).focus()
  await add('arrives')
  await expect(link('arrives')).toBeVisible()
  await page.keyboard.press('x')
  await expect(grid(page).getByRole('row', { selected: true })).toContainText(focused)
  await page.keyboard.press('x')
  const id = (await link(focused).getAttribute('href'))?.split('/').at(-1)
  await ask(page, 'DELETE', `/web/v4/leads/${id}`)
  await expect(link(next)).toBeFocused()

  await grid(page).hover()
  await page.mouse.wheel(0, 600)
  const seen = link(own.names[35] as string)
  await expect(seen).toBeInViewport()
  const before = await seen.boundingBox()
  await add('comes later')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '62')
  expect(await seen.boundingBox()).toEqual(before)
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(link(own.names[0] as string)).toBeInViewport()
})

test('a name of two hundred letters breaks no layout, and the usual columns fit', async ({ page }) => {
  await signIn(page)
  const own = await stock(page, 1)
  const name = `${own.word}${'w'.repeat(200)}`
  await ask(page, 'POST', '/web/v4/leads', [{ name, tags_to_add: [{ name: `t${'w'.repeat(200)}` }] }])
  await openList(page, own)
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await settle(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
  // The usual columns fit into the window of a small laptop, beside a scroll bar.
  await page.setViewportSize({ width: 1366, height: 768 })
  const box = await grid(page).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 2_000)).toBeLessThanOrEqual(1366)
  expect(box?.width).toBeLessThanOrEqual(1_130)
})

test('a phone shows two lines per row and nothing overflows', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  const own = await stock(page)
  await openList(page, own)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  const row = grid(page).getByRole('row').nth(1)
  await expect(row).toContainText('$6,000')
  expect((await row.boundingBox())?.height).toBeGreaterThan(50)
  // A window of 1280 × 900 pixels at a zoom of 400 %.
  await page.setViewportSize({ width: 320, height: 225 })
  await page.getByRole('main').evaluate('document.getElementById("main").scrollTo(0, 1000)')
  await expect(row).toBeInViewport({ ratio: 0.9 })
  await links(page).first().click()
  await expect(page).toHaveURL(/\/leads\/\d+/)
})

for (const colorScheme of themesOf('lists')) {
  test(`axe finds no serious violations in a list in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    const seen = watch(page)
    await signIn(page)
    const own = await stock(page)
    const search = `shape=list&query=${own.word}&filter[price][from]=1000`
    await page.goto(`/leads?${search}`)
    await expect(links(page).first()).toBeVisible()
    await checkPage(page, '/leads-list', colorScheme)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await checkPage(page, '/leads-selected', colorScheme)
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await filterButton(page).click()
    await checkPage(page, '/leads-filters', colorScheme)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns' }).click()
    await checkPage(page, '/leads-columns', colorScheme)
    expect(seen).toEqual([])
  })
}
