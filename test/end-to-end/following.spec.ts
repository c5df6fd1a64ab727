import { expect, test } from '@playwright/test'
import { followsLive } from './live.ts'
import { watch } from './people.ts'
import { addRecord, administrator, anotherPerson } from './record-world.ts'

test('people who follow a card get a notice when somebody else changes it', async ({
  page,
  browser,
  baseURL,
}) => {
  const seen = watch(page)
  const api = await administrator(page)
  const name = `Roof ${Date.now().toString(36)}`
  const id = await addRecord(api, 'leads', { name, price: 5 })
  await page.goto(`/leads/${id}`)
  const button = page.getByRole('button', { name: 'Follow', exact: true })
  // The button changes at once, and a page that is left cancels its requests.
  const stored = page.waitForResponse((response) => response.url().endsWith('/subscriptions'))
  await button.click()
  await expect(page.getByRole('button', { name: 'Following', exact: true })).toBeVisible()
  await stored
  const stream = followsLive(page)
  await page.goto('/tasks')
  await stream
  const notice = page.getByRole('alert').filter({ hasText: name })
  // Their own changes are no news.
  await api.patch(`leads/${id}`, { price: 9 })
  const olga = await anotherPerson(browser, api, baseURL, { name: 'Olga Kraus' })
  await olga.api.patch(`leads/${id}`, { price: 7 })
  await expect(notice).toContainText('Olga Kraus')
  await expect(notice).toHaveCount(1)
  await notice.getByRole('link', { name }).click()
  await expect(page).toHaveURL(new RegExp(`/leads/${id}$`))
  expect(seen).toEqual([])
})
