import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { visit } from './navigate.ts'
import { watch } from './people.ts'
import { addRecord, administrator } from './record-world.ts'

test('a customer is put into a segment, and the list is filtered by it', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const mark = Date.now().toString(36)
  const customer = `Ann ${mark}`
  const id = await addRecord(api, 'customers', { name: customer, next_date: 1_800_000_000 })
  await page.goto('/settings/audiences')
  await page.getByRole('button', { name: 'Add segment' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Loyal ${mark}`)
  await dialog.getByRole('radio', { name: 'Color 5 of 26' }).check()
  await checkPage(page, 'segment dialog', 'light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row', { name: new RegExp(`Loyal ${mark}`) })
  await expect(row).toContainText('Chosen by hand')

  await visit(page, `/customers/${id}`)
  await page.getByRole('button', { name: 'Edit: Segments' }).click()
  await page.getByLabel('Segments', { exact: true }).and(page.locator('input')).fill(mark)
  await page.getByRole('option', { name: `Loyal ${mark}` }).click()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('definition').filter({ hasText: `Loyal ${mark}` })).toBeVisible()
  await expect.poll(async () => (await api.get(`customers/${id}`))._embedded.segments.length).toBe(1)

  await page.goto('/settings/audiences')
  await row.getByRole('link', { name: '1' }).click()
  await expect(page.getByRole('link', { name: customer })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  expect(seen).toEqual([])
})
