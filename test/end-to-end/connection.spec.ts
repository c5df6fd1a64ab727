import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { addRecord, administrator } from './record-world.ts'

const sign = 'No connection to the server.'

test('a page shows a lost connection, keeps its content, and catches up when the network is back', async ({
  page,
  context,
}) => {
  const api = await administrator(page)
  const word = Math.random().toString(36).slice(2, 10)
  await addRecord(api, 'contacts', { name: `Before ${word}` })
  await page.goto(`/contacts?query=${word}`)
  await expect(page.getByRole('link', { name: `Before ${word}` })).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText(sign)).toBeVisible()
  await expect(page.getByRole('link', { name: `Before ${word}` })).toBeVisible()
  await checkPage(page, 'no connection', 'light')
  await context.setOffline(false)
  await addRecord(api, 'contacts', { name: `After ${word}` })
  await expect(page.getByText(sign)).toBeHidden({ timeout: 20_000 })
  await expect(page.getByRole('link', { name: `After ${word}` })).toBeVisible()
})
