import { expect, type Page, test } from '@playwright/test'
import { clickLikeSafari } from './click-like-safari.ts'
import { visit } from './navigate.ts'
import { watch } from './people.ts'
import { type Answer, addFields, addRecord, administrator } from './record-world.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const details = (page: Page) => page.getByRole('region', { name: 'Details' })
const fieldRow = (page: Page, name: string) =>
  details(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: name }) })
const unique = (name: string) => `${name} ${Date.now().toString(36)}`
/** Clicks beside the value, because a value may be a link. */
const edit = (page: Page, name: string) =>
  details(page)
    .getByRole('button', { name: `Edit: ${name}`, exact: true })
    .press('Enter')

test('the card of a list item has the fields of its list', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const list = (await api.post('catalogs', [{ name: unique('Bills') }]))._embedded.catalogs[0]
  await addFields(api, `catalogs/${list.id}`, [
    { name: 'Net price', type: 'price' },
    { name: 'Positions', type: 'items' },
    {
      name: 'Shelf',
      type: 'category',
      nested: [
        { value: 'Wheels', request_id: 'w' },
        { value: 'Front', parent_request_id: 'w' },
      ],
    },
    { name: 'Ordered by', type: 'linked_entity' },
    { name: 'Payer', type: 'payer' },
  ])
  const buyer = unique('Buyer')
  await addRecord(api, 'contacts', { name: buyer })
  const id = await addRecord(api, `catalogs/${list.id}/elements`, { name: 'Bill 1' })
  await page.goto(`/lists/${list.id}/${id}`)
  await page.getByRole('button', { name: 'Show 5 empty fields' }).click()

  await edit(page, 'Net price')
  await page.getByRole('textbox', { name: 'Net price' }).fill('12,5')
  await page.keyboard.press('Enter')
  await expect(fieldRow(page, 'Net price')).toContainText('12.50')
  await edit(page, 'Positions')
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Bell')
  await page.getByLabel('Unit price').fill('4')
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(fieldRow(page, 'Positions')).toContainText('Bell × 3')
  await edit(page, 'Shelf')
  await page.getByRole('option', { name: 'Front' }).click()
  await expect(fieldRow(page, 'Shelf')).toContainText('Front')
  await edit(page, 'Ordered by')
  await fieldRow(page, 'Ordered by').getByRole('combobox').fill(buyer)
  await page.getByRole('option', { name: buyer }).click()
  await expect(fieldRow(page, 'Ordered by').getByRole('link', { name: buyer })).toBeVisible()
  await edit(page, 'Payer')
  await fieldRow(page, 'Payer').getByRole('textbox', { name: 'Name', exact: true }).fill('Wheels Ltd')
  await page.keyboard.press('Enter')
  await expect(fieldRow(page, 'Payer')).toContainText('Wheels Ltd')
  await expect
    .poll(async () => (await api.get(`catalogs/${list.id}/elements/${id}`)).custom_fields_values?.length)
    .toBe(5)
  // The number of lists is limited.
  await api.remove(`catalogs/${list.id}`)
  await page.evaluate("localStorage.removeItem('patchbay-empty-fields')")
  expect(seen).toEqual([])
})

test('phone numbers and emails have labels and links', async ({ page }) => {
  const api = await administrator(page)
  const id = await addRecord(api, 'contacts', {
    first_name: 'Tess',
    last_name: unique('Ring'),
    custom_fields_values: [{ field_code: 'PHONE', values: [{ value: '+34 600 1', enum_code: 'WORK' }] }],
  })
  await page.goto(`/contacts/${id}`)
  // The editor must stay open.
  await clickLikeSafari(page)
  await edit(page, 'Phone')
  await fieldRow(page, 'Phone').getByRole('button', { name: 'Add another' }).click()
  await page.getByLabel('Phone 2', { exact: true }).fill('+34 600 222 333')
  await page.getByLabel('Label of Phone 2').selectOption({ label: 'Mobile' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(fieldRow(page, 'Phone').getByRole('link')).toHaveText(['+34 600 1', '+34 600 222 333'])
  await expect(fieldRow(page, 'Phone').getByRole('link').last()).toHaveAttribute('href', 'tel:+34600222333')
  await expect(fieldRow(page, 'Phone')).toContainText('Mobile')
  await expect
    .poll(async () => (await api.get(`contacts/${id}`)).custom_fields_values[0].values[1]?.enum_code)
    .toBe('MOB')
  await page.getByRole('button', { name: 'Edit: Name' }).click()
  await page.getByRole('textbox', { name: 'First name' }).fill('Theresa')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await api.get(`contacts/${id}`)).first_name).toBe('Theresa')
})

test('purchases of a customer are added and removed', async ({ page }) => {
  const api = await administrator(page)
  await api.patch('customers/mode', { mode: 'periodicity', is_enabled: true })
  const name = unique('Buys')
  const id = await addRecord(api, 'customers', { name })
  await api.post(`customers/${id}/transactions`, [{ price: 20, comment: 'A bell' }])
  await page.goto(`/customers/${id}`)
  const purchases = page.getByRole('region', { name: 'Purchases' })
  await purchases.getByRole('button', { name: 'Add purchase' }).click()
  await purchases.getByLabel('Amount').fill('249.50')
  await purchases.getByLabel('Purchased items').fill('A saddle')
  await purchases.getByRole('button', { name: 'Save purchase' }).click()
  await expect(purchases.getByRole('listitem')).toContainText(['A saddle', 'A bell'])
  await expect(fieldRow(page, 'Total purchases')).toContainText('$269.50')
  await purchases
    .getByRole('button', { name: /^Remove purchase/ })
    .first()
    .press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(purchases.getByRole('listitem')).toContainText(['A bell'])
})

test('records of the same name are distinguished before a merge', async ({ page }) => {
  const api = await administrator(page)
  const name = `Same ${Date.now().toString(36)}`
  const add = (phone: string) =>
    addRecord(api, 'contacts', {
      name,
      custom_fields_values: [{ field_code: 'PHONE', values: [{ value: phone }] }],
    })
  const [kept, second] = [await add('+44 113 496 0001'), await add('+44 113 496 0002')]
  await add('+44 113 496 0003')
  await page.goto(`/contacts/${kept}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Merge with another record' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill(name)
  await page.getByRole('option', { name: `${name} · +44 113 496 0002` }).click()
  await expect(dialog).toContainText(`${name} (+44 113 496 0001 · #${kept}) keeps its own values.`)
  await expect(dialog).toContainText(`come from ${name} (+44 113 496 0002 · #${second})`)
})

test('two records are merged after an explanation', async ({ page }) => {
  const api = await administrator(page)
  const [stays, goes] = [unique('Stays'), unique('Goes')]
  const id = await addRecord(api, 'companies', { name: stays })
  const other = await addRecord(api, 'companies', { name: goes, tags_to_add: [{ name: 'from the other' }] })
  await page.goto(`/companies/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Merge with another record' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill(goes)
  await page.getByRole('option', { name: goes }).click()
  await expect(dialog).toContainText('This cannot be undone.')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(fieldRow(page, 'Tags')).toContainText('from the other')
  // The timeline continues that of the other record, so it names it.
  const timeline = page.getByRole('region', { name: 'Timeline' })
  for (const did of ['deleted the company', 'added the company']) {
    const of = timeline.getByRole('listitem').filter({ hasText: `${did} · ${goes}` })
    await expect(of.getByRole('link', { name: goes }).last()).toHaveAttribute('href', `/companies/${other}`)
  }
  await expect(timeline.getByText(stays)).toHaveCount(0)
  await visit(page, `/companies/${other}`)
  await expect(page.getByText('This record was merged into another one')).toBeVisible()
})

test('a list asks for its required field before an item is added', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const list = (await api.post('catalogs', [{ name: unique('Parts') }]))._embedded.catalogs[0]
  await addFields(api, `catalogs/${list.id}`, [{ name: 'Size', type: 'text', is_required: true }])
  await page.goto(`/lists/${list.id}`)
  await page.getByRole('button', { name: 'New item' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Bell')
  const add = dialog.getByRole('button', { name: 'Create', exact: true })
  await expect(add).toBeDisabled()
  await dialog.getByRole('button', { name: 'Edit: Size' }).click()
  await dialog.getByRole('textbox', { name: 'Size' }).fill('Small')
  await page.keyboard.press('Enter')
  await add.click()
  await expect(fieldRow(page, 'Size')).toContainText('Small')
  await api.remove(`catalogs/${list.id}`)
  expect(seen).toEqual([])
})

test('a stage asks for its required field before a lead moves to it', async ({ page }) => {
  const api = await administrator(page)
  const pipeline = (await api.get('leads/pipelines'))._embedded.pipelines[0]
  const stages = pipeline._embedded.statuses.filter(({ type }: Answer) => type === 0)
  const target = { pipeline_id: pipeline.id, status_id: stages[1].id }
  const mark = unique('Wanted')
  const [field] = await addFields(api, 'leads', [{ name: mark, type: 'text', required_statuses: [target] }])
  const [hidden] = await addFields(api, 'leads', [
    { name: `${mark} hidden`, type: 'text', hidden_statuses: [target] },
  ])
  const name = unique('Stage')
  const values = [{ field_id: hidden?.id, values: [{ value: 'seen before' }] }]
  const id = await addRecord(api, 'leads', { name, status_id: stages[0].id, custom_fields_values: values })
  try {
    await page.goto(`/leads/${id}`)
    await expect(details(page)).toContainText('seen before')
    await page.getByRole('button', { name: `Move to ${stages[1].name}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: mark }).or(dialog.getByText('Fill in')).click()
    await dialog.getByRole('textbox', { name: mark }).fill('here it is')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: `Save to ${stages[1].name}` }).click()
    await expect(fieldRow(page, mark)).toContainText('here it is')
    await expect(details(page)).not.toContainText('seen before')
    await expect.poll(async () => (await api.get(`leads/${id}`)).status_id).toBe(stages[1].id)
  } finally {
    await api.remove(`leads/custom_fields/${field?.id}`)
  }
})

test('the name of a pipeline finds its stages', async ({ page }) => {
  const api = await administrator(page)
  const name = unique('Wholesale')
  const statuses = [{ name: 'Asked', sort: 20 }]
  await api.post('leads/pipelines', [
    { name, sort: 900, is_main: false, is_unsorted_on: false, _embedded: { statuses } },
  ])
  const lead = unique('Twelve')
  await page.goto(`/leads/${await addRecord(api, 'leads', { name: lead })}`)
  const stage = page.getByRole('combobox', { name: 'Stage' })
  await expect(stage).toHaveValue(/./)
  await stage.clear()
  await stage.pressSequentially(name.toLowerCase())
  const offered = page.getByRole('listbox', { name: 'Stage' }).getByRole('option')
  await expect(offered).toHaveText(['Asked', 'Closed - won', 'Closed - lost'])
  await stage.press('Enter')
  await expect(stage).toHaveValue(`${name} · Asked`)
  await stage.fill('no such stage')
  await expect(page.getByText('Nothing found')).toBeVisible()
})

test('the card of a merged record leads to the record that has its data, and cannot be restored', async ({
  page,
}) => {
  const api = await administrator(page)
  const [kept, gone] = [
    await addRecord(api, 'contacts', { name: 'Kim Kept' }),
    await addRecord(api, 'contacts', { name: 'Greg Gone' }),
  ]
  await page.goto(`/contacts/${gone}`)
  await expect(page.getByRole('heading', { name: 'Greg Gone' })).toBeVisible()
  await api.post('contacts/merge', { id: kept, merge: [gone] })
  await expect(page.getByText('This record was merged into another one')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Restore' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Open Kim Kept' }).click()
  await expect(page.getByRole('heading', { name: 'Kim Kept' })).toBeVisible()
})
