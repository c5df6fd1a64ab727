import { expect, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { receiveHooks } from './hook-receiver.ts'
import { visit } from './navigate.ts'
import { ask } from './own-api.ts'
import { demo, signIn, watch } from './people.ts'

test('a trace leads from a request to its event, its webhook and the answer, and back from each of them', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const receiver = await receiveHooks()
  receiver.answer(404, 'Not here')
  const webhook = await ask<{ id: number }>(page, 'POST', '/web/v4/webhooks', {
    destination: receiver.url,
    settings: ['add_lead'],
  })
  const answer = await page.request.post('/api/v4/leads', {
    headers: { authorization: `Bearer ${demo.tokens.access_token}` },
    data: [{ name: 'Tandem with a trace' }],
  })
  const id = answer.headers()['x-request-id'] ?? ''
  await expect.poll(() => receiver.hits.length).toBeGreaterThan(0)
  await page.goto(`/developers/traces/${id}`)
  const tree = page.getByRole('list', { name: 'What the request caused' })
  await expect(tree).toContainText('POST /api/v4/leads')
  await expect(tree).toContainText('New lead')
  await expect(tree.getByText('Status 404').first()).toBeVisible()
  for (const colorScheme of themesOf('traces')) {
    await page.emulateMedia({ colorScheme })
    await checkPage(page, '/developers/traces', colorScheme)
  }

  const main = page.getByRole('main')
  await tree.getByRole('link', { name: 'New lead' }).click()
  await expect(page).toHaveURL(/\/events\/[0-9a-z]{26}$/)
  await main.getByRole('link', { name: id }).click()
  await expect(page).toHaveURL(new RegExp(`/developers/traces/${id}$`))
  // Webhooks of other tests may receive the new lead, too.
  await tree.getByRole('link', { name: 'Webhook' }).first().click()
  await expect(page).toHaveURL(/\/developers\/deliveries\/\d+$/)
  await main.getByRole('link', { name: 'Trace', exact: true }).click()
  await tree.getByRole('link', { name: 'POST /api/v4/leads' }).click()
  await expect(page).toHaveURL(/\/developers\/requests\/\d+$/)
  await main.getByRole('link', { name: 'Trace', exact: true }).click()
  await tree.getByRole('link', { name: 'Tandem with a trace' }).click()
  await expect(page).toHaveURL(/\/leads\/\d+$/)

  await page.setViewportSize({ width: 390, height: 800 })
  await visit(page, `/developers/traces/${id}`)
  await expect(tree).toContainText('New lead')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await visit(page, '/developers/traces/nothing')
  await expect(main.getByRole('alert')).toContainText('There is no such trace')
  await ask(page, 'DELETE', '/web/v4/webhooks', { destination: receiver.url })
  expect(webhook.id).toBeGreaterThan(0)
  receiver.stop()
  expect(seen).toEqual([])
})
