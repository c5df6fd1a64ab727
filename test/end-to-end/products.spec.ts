import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { visit } from './navigate.ts'
import { watch } from './people.ts'
import { addFields, addRecord, administrator } from './record-world.ts'

test('the card of a lead shows what its products cost, and its sale is their sum', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const { catalog_id } = await api.patch('catalogs/products/settings', { is_enabled: true })
  const price = (value: number) => [{ field_code: 'PRICE', values: [{ value }] }]
  const tile = await addRecord(api, `catalogs/${catalog_id}/elements`, {
    name: 'Roof tile',
    custom_fields_values: price(12.5),
  })
  const lead = await addRecord(api, 'leads', {
    name: 'Roof with tiles',
    price: 500,
    _embedded: { catalog_elements: [{ id: tile, metadata: { quantity: 3 } }] },
  })
  await page.goto('/settings/lists')
  await page.getByRole('switch', { name: 'The sale of a lead is the sum of its products' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await checkPage(page, '/settings/lists/products', 'light')

  await visit(page, `/leads/${lead}`)
  const lists = page.getByRole('region', { name: 'Lists' })
  await expect(lists).toContainText('3 × $12.50 = $37.50')
  await lists.getByLabel('Quantity of Roof tile').fill('4')
  await lists.getByLabel('Quantity of Roof tile').press('Enter')
  await expect(lists).toContainText('4 × $12.50 = $50')
  await expect(lists).toContainText('Total of products$50')
  const sale = page.locator('[class*=field]').filter({ hasText: 'Sale' }).filter({ hasText: '$50' }).first()
  await expect(sale).toBeVisible()
  await expect(page.getByTitle('The sum of the products')).toBeVisible()
  await checkPage(page, '/leads/products', 'dark')
  await api.patch('catalogs/products/settings', { is_enabled: false, sums_leads: false })
  expect(seen).toEqual([])
})

test('the card of a lead shows the price of an item of another list, which is not among its products', async ({
  page,
}) => {
  const api = await administrator(page)
  const [list] = (await api.post('catalogs', [{ name: 'Hire', can_show_in_cards: true }]))._embedded.catalogs
  await addFields(api, `catalogs/${list.id}`, [{ name: 'Price', type: 'price', code: 'PRICE' }])
  const item = await addRecord(api, `catalogs/${list.id}/elements`, {
    name: 'Scaffold',
    custom_fields_values: [{ field_code: 'PRICE', values: [{ value: 80 }] }],
  })
  const metadata = { quantity: 2, catalog_id: list.id }
  const lead = await addRecord(api, 'leads', {
    name: 'Roof with a scaffold',
    _embedded: { catalog_elements: [{ id: item, metadata }] },
  })
  await visit(page, `/leads/${lead}`)
  const lists = page.getByRole('region', { name: 'Lists' })
  await expect(lists).toContainText('2 × $80 = $160')
  await expect(lists).not.toContainText('Total')
})

test('the timeline has the id of an item whose list is deleted', async ({ page }) => {
  const api = await administrator(page)
  const [list] = (await api.post('catalogs', [{ name: 'Gone', can_show_in_cards: true }]))._embedded.catalogs
  const item = await addRecord(api, `catalogs/${list.id}/elements`, { name: 'Ladder' })
  const lead = await addRecord(api, 'leads', { name: 'Roof with a ladder' })
  const metadata = { quantity: 1, catalog_id: list.id }
  const link = { to_entity_id: item, to_entity_type: 'catalog_elements', metadata }
  await api.post(`leads/${lead}/link`, [link])
  await api.remove(`catalogs/${list.id}`)
  await visit(page, `/leads/${lead}`)
  const linked = page
    .getByRole('listitem')
    .filter({ hasText: /linked/ })
    .first()
  await expect(linked).toContainText(new RegExp(`item ${item}`, 'i'))
})
