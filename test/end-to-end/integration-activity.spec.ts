import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { visit } from './navigate.ts'
import { demo, signIn, watch } from './people.ts'

test.use({ viewport: { width: 1440, height: 900 } })

test('what an integration does appears live on its page, in the log and on the card, with its name', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const { client_id } = demo.integration
  const tab = `/integrations/installed/${client_id}/activity`
  await page.goto(tab)
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible()

  const name = `Parcel ${Date.now().toString(36)}`
  const headers = { authorization: `Bearer ${demo.tokens.access_token}` }
  const answer = await page.request.post('/api/v4/leads', { headers, data: [{ name }] })
  const [lead] = (await answer.json())._embedded.leads
  const row = page
    .getByRole('list', { name: 'Events, newest first' })
    .getByRole('listitem')
    .filter({ hasText: name })
  await expect(row).toContainText('Demo integration, for Ada Demo')
  await expect(row).toContainText('added the lead')
  await checkPage(page, '/integrations/installed/activity', 'light')

  await page.getByRole('link', { name: 'Open in the log' }).click()
  await expect(page).toHaveURL(new RegExp(`/events\\?.*${client_id}`))
  await expect(row).toContainText('Demo integration, for Ada Demo')
  await expect(page.locator('[data-chip]')).toContainText('Demo integration')

  await visit(page, `/leads/${lead.id}`)
  await expect(page.getByText('Demo integration, for Ada Demo, added the lead')).toBeVisible()
  await expect(page.getByText(/Added .*, Demo integration, for Ada Demo/)).toBeVisible()
  const doneBy = page.getByLabel('Done by')
  await doneBy.selectOption({ label: 'Courier' })
  await expect(page.getByText('No entries match')).toBeVisible()
  await doneBy.selectOption({ label: 'Demo integration' })
  await expect(page.getByText('Demo integration, for Ada Demo, added the lead')).toBeVisible()

  await visit(page, `/contacts?filter[integration]=${client_id}`)
  await expect(page.locator('[data-chip]')).toContainText('Created by integration')

  await visit(page, `/integrations/built/${client_id}/activity`)
  await expect(row).toContainText('added the lead')
  expect(seen).toEqual([])
})

test('the history of the demo names its courier integration', async ({ page }) => {
  await signIn(page)
  await page.goto('/integrations')
  await page.getByRole('link', { name: 'Courier' }).first().click()
  await page.getByRole('link', { name: 'Activity' }).click()
  const list = page.getByRole('list', { name: 'Events, newest first' })
  await expect(list.getByRole('listitem').filter({ hasText: 'Courier, for Ada Demo' }).first()).toBeVisible()
})
