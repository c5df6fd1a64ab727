import { expect, type Page, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { ask } from './own-api.ts'
import { signIn, watch } from './people.ts'
import { addServiceField } from './record-world.ts'

/** Unique names, so that tests do not see each other's fields. */
const unique = (name: string) => `${name} ${Math.random().toString(36).slice(2, 8)}`

const home = (of: string) => `/settings/fields?of=${encodeURIComponent(of)}`
const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

interface Field {
  id: number
  name: string
  sort: number
  enums: { id: number; value: string }[] | null
  nested?: { id: number; parent_id: number | null; value: string }[]
  remind: string | null
  currency: string | null
  tracking_callback: string | null
}

/** An empty list has no body (V4). */
const fieldsOf = async (page: Page, of: string): Promise<Field[]> =>
  (
    await ask<{ _embedded: { custom_fields: Field[] } } | undefined>(
      page,
      'GET',
      `/web/v4/${of}/custom_fields?limit=250`,
    )
  )?._embedded.custom_fields ?? []
const addField = async (page: Page, of: string, draft: object): Promise<Field> =>
  (await ask<{ _embedded: { custom_fields: Field[] } }>(page, 'POST', `/web/v4/${of}/custom_fields`, [draft]))
    ._embedded.custom_fields[0] as Field
const addList = async (page: Page, name: string): Promise<number> =>
  (await ask<{ _embedded: { catalogs: { id: number }[] } }>(page, 'POST', '/web/v4/catalogs', [{ name }]))
    ._embedded.catalogs[0]?.id as number

async function pickType(page: Page, type: string) {
  await dialog(page).getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: type, exact: true }).click()
}

test('a field is created with options, changed, and shown on the card', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const name = unique('Roof')
  await page.goto(home('companies'))
  await page.getByRole('button', { name: 'Add field', exact: true }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name)
  await pickType(page, 'Multiple choice')
  await dialog(page).getByRole('button', { name: 'Add field' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Add at least one.')
  await dialog(page).getByRole('button', { name: 'Add another' }).click()
  // By keyboard: Enter adds the next option.
  await page.keyboard.type('Tiles')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Slate')
  await checkPage(page, '/settings/fields/new', 'light')
  await dialog(page).getByRole('button', { name: 'Add field' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(row(page, name)).toContainText('2 options')

  await row(page, name)
    .getByRole('button', { name: `Edit “${name}”` })
    .click()
  await dialog(page).getByRole('textbox', { name: 'Option 1' }).fill('Clay tiles')
  await dialog(page).getByRole('button', { name: 'Remove “Slate”' }).click()
  await expect(dialog(page).getByRole('status').last()).toContainText('Slate will be removed')
  await dialog(page).getByRole('checkbox', { name: 'Only integrations can fill it in' }).check()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(row(page, name)).toContainText('API only')
  const stored = (await fieldsOf(page, 'companies')).find((field) => field.name === name)
  expect(stored?.enums?.map(({ value }) => value)).toEqual(['Clay tiles'])
  expect(seen).toEqual([])
})

test('a field has the settings of its type', async ({ page }) => {
  await signIn(page)
  await page.goto(home('leads'))
  const names = ['Survey', 'Deposit', 'Visit'].map(unique)
  const [survey, deposit, visit] = names as [string, string, string]
  const start = async (name: string, type: string) => {
    // The list has the previous field before its dialog is closed.
    await expect(dialog(page)).toBeHidden()
    await page.getByRole('button', { name: 'Add field', exact: true }).click()
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name)
    await pickType(page, type)
  }
  const save = async (name: string) => {
    await dialog(page).getByRole('button', { name: 'Add field' }).click()
    await expect(row(page, name)).toBeVisible()
  }
  await start(survey, 'Date')
  await dialog(page).getByRole('combobox', { name: 'Reminder' }).click()
  await page.getByRole('option', { name: 'A week before' }).click()
  await save(survey)
  await start(deposit, 'Money')
  await dialog(page).getByRole('textbox', { name: 'Currency' }).fill('eur')
  await save(deposit)
  await start(visit, 'Tracking data')
  await dialog(page).getByRole('textbox', { name: 'Callback' }).fill('onVisit')
  await save(visit)

  const stored = (await fieldsOf(page, 'leads')).filter(({ name }) => names.includes(name))
  const settings = stored.map(({ name, remind, currency, tracking_callback }) => [
    name,
    [remind, currency, tracking_callback],
  ])
  expect(Object.fromEntries(settings)).toEqual({
    [survey]: ['week', null, null],
    [deposit]: [null, 'EUR', null],
    [visit]: [null, null, 'onVisit'],
  })
})

test('fields are ordered by keyboard, and the order is kept', async ({ page }) => {
  await signIn(page)
  const names = [unique('Aaa'), unique('Bbb')]
  for (const [i, name] of names.entries())
    await addField(page, 'contacts', { name, type: 'text', sort: 900 + i })
  await page.goto(home('contacts'))
  const handle = row(page, names[1] as string).getByRole('button', { name: /^Move/ })
  await handle.focus()
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.keyboard.press('ArrowUp')
  expect((await saved).status()).toBe(200)
  await expect(handle).toBeFocused()
  const places = async () => (await fieldsOf(page, 'contacts')).map(({ name }) => name)
  const order = async () => (await places()).filter((name) => names.includes(name))
  expect(await order()).toEqual(names.toReversed())
  await page.reload()
  await expect(row(page, names[1] as string)).toBeVisible()
  await expect(row(page, names[0] as string)).toBeVisible()
  const rows = await page.getByRole('listitem').allTextContents()
  const at = (name: string | undefined) => rows.findIndex((text) => text.includes(name as string))
  expect(at(names[1])).toBeLessThan(at(names[0]))
})

test('typing beside a thousand options renders the option that changes, and not all of them', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Sizes')
  const enums = Array.from({ length: 1000 }, (_, i) => ({ value: `Size ${i}` }))
  await addField(page, 'companies', { name, type: 'select', enums })
  await page.goto(home('companies'))
  await expect(row(page, name)).toContainText('1,000 options')
  await page.getByRole('button', { name: `Edit “${name}”` }).click()
  const options = dialog(page).getByRole('textbox', { name: /^Option/ })
  await expect(options).toHaveCount(1000)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0
  }
  const before = await spent()
  await options.nth(2).focus()
  await page.keyboard.type(' long')
  await expect(options.nth(2)).toHaveValue('Size 2 long')
  // Seconds of the processor for five keys: a few tenths, or several if each key renders all rows.
  expect((await spent()) - before).toBeLessThan(1.5)
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toHaveCount(0)
  const stored = (await fieldsOf(page, 'companies')).find((field) => field.name === name)?.enums
  expect([stored?.length, stored?.[2]?.value]).toEqual([1000, 'Size 2 long'])
})

test('deleting a field first shows what is lost', async ({ page }) => {
  await signIn(page)
  const name = unique('Colour')
  const field = await addField(page, 'leads', { name, type: 'text' })
  const value = { field_id: field.id, values: [{ value: 'red' }] }
  await ask(
    page,
    'POST',
    '/web/v4/leads',
    ['a', 'b'].map((lead) => ({ name: lead, custom_fields_values: [value] })),
  )
  await page.goto(home('leads'))
  await row(page, name)
    .getByRole('button', { name: `Delete “${name}”` })
    .click()
  await expect(dialog(page)).toContainText('2 records have a value in this field.')
  await expect(dialog(page)).toContainText('cannot be restored')
  await checkPage(page, '/settings/fields/delete', 'light')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, name)).toBeVisible()
  await row(page, name)
    .getByRole('button', { name: `Delete “${name}”` })
    .click()
  await dialog(page).getByRole('button', { name: 'Delete field' }).click()
  await expect(row(page, name)).toBeHidden()
  expect((await fieldsOf(page, 'leads')).map(({ id }) => id)).not.toContain(field.id)
})

test('a field of a service is locked: only its position and required stages can change', async ({ page }) => {
  await signIn(page)
  const name = unique('Synced')
  await addServiceField(page, name, 'warehouse-sync')
  await page.goto(home('leads'))
  const own = row(page, name)
  await expect(own).toContainText('warehouse-sync')
  await expect(own.getByRole('button', { name: `Delete “${name}”` })).toHaveCount(0)
  await own.getByRole('button', { name: `Edit “${name}”` }).click()
  await expect(dialog(page)).toContainText('This field belongs to the service warehouse-sync')
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeDisabled()
  await dialog(page).getByRole('combobox', { name: 'Required at these stages' }).click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await checkPage(page, '/settings/fields/service', 'light')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(own).toContainText('Required at 1 stage')
})

test('groups are added, renamed and deleted, and their fields are kept', async ({ page }) => {
  await signIn(page)
  const [group, field] = [unique('Delivery'), unique('Door code')]
  await page.goto(home('companies'))
  await page.getByRole('textbox', { name: 'Group name' }).fill(group)
  await page.getByRole('button', { name: 'Add group' }).click()
  await expect(page.getByRole('heading', { name: group })).toBeVisible()
  await page.getByRole('button', { name: `Add field: ${group}` }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(field)
  await dialog(page).getByRole('button', { name: 'Add field' }).click()
  await expect(page.getByRole('region', { name: group })).toContainText(field)
  const menu = (name: string) => page.getByRole('button', { name: `Actions for group “${name}”` })
  await menu(group).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(`${group} 2`)
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: `${group} 2`, exact: true })).toBeVisible()
  const place = async () =>
    (await page.getByRole('heading', { level: 2 }).allTextContents()).indexOf(`${group} 2`)
  const before = await place()
  await menu(`${group} 2`).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect.poll(place).toBe(before - 1)
  const stored = async () => {
    const { _embedded } = await ask<{ _embedded: { custom_field_groups: { name: string }[] } }>(
      page,
      'GET',
      '/web/v4/companies/custom_fields/groups',
    )
    return _embedded.custom_field_groups.findIndex(({ name }) => name === `${group} 2`)
  }
  await expect.poll(stored).toBe(before - 1)
  await menu(`${group} 2`).click()
  await page.getByRole('menuitem', { name: 'Delete group' }).click()
  await expect(dialog(page)).toContainText('keeps its values')
  await dialog(page).getByRole('button', { name: 'Delete group' }).click()
  await expect(page.getByRole('heading', { name: `${group} 2`, exact: true })).toBeHidden()
  await expect(row(page, field)).toBeVisible()
})

test('a list starts without fields; its categories are nested', async ({ page }) => {
  await signIn(page)
  const list = await addList(page, unique('Goods'))
  for (const { id } of await fieldsOf(page, `catalogs/${list}`))
    await ask(page, 'DELETE', `/web/v4/catalogs/${list}/custom_fields/${id}`)
  await page.goto(home(`catalogs/${list}/elements`))
  await expect(page.getByText('No fields yet')).toBeVisible()
  await checkPage(page, '/settings/fields/empty', 'light')
  await page.getByRole('button', { name: 'Add field' }).last().click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Shelf')
  await pickType(page, 'Category')
  await dialog(page).getByRole('button', { name: 'Add another' }).click()
  await page.keyboard.type('Bikes')
  await dialog(page).getByRole('button', { name: 'Add a category below “Bikes”' }).click()
  await page.keyboard.type('Road bikes')
  await dialog(page).getByRole('checkbox', { name: 'Required for a new item' }).check()
  await dialog(page).getByRole('button', { name: 'Add field' }).click()
  await expect(row(page, 'Shelf')).toContainText('Required')
  const [shelf] = await fieldsOf(page, `catalogs/${list}`)
  const [bikes, road] = shelf?.nested ?? []
  expect([bikes?.value, road?.value, road?.parent_id]).toEqual(['Bikes', 'Road bikes', bikes?.id])
  await page.getByRole('textbox', { name: 'Group name' }).fill('Places')
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByRole('button', { name: 'Add field: Places' }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Aisle')
  await dialog(page).getByRole('button', { name: 'Add field' }).click()
  await expect(page.getByRole('region', { name: 'Places' })).toContainText('Aisle')
  await expect(page.getByRole('region', { name: 'Main' })).toContainText('Shelf')
  await ask(page, 'DELETE', `/web/v4/catalogs/${list}`)
})

test('on a phone, in dark mode, with a very long name', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn(page)
  const name = `${unique('x')}${'x'.repeat(190)}`
  const field = await addField(page, 'leads', { name, type: 'select', enums: [{ value: 'y'.repeat(200) }] })
  await page.goto(home('leads'))
  await expect(row(page, name)).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await checkPage(page, '/settings/fields', 'dark')
  await row(page, name).getByRole('button', { name: /^Edit/ }).click()
  await checkPage(page, '/settings/fields/narrow', 'dark')
  await ask(page, 'DELETE', `/web/v4/leads/custom_fields/${field.id}`)
})
