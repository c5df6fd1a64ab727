import { createHmac } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { checkPage, settle } from './check-page.ts'
import { type HookReceiver, receiveHooks } from './hook-receiver.ts'
import { visit } from './navigate.ts'
import { signIn, watch } from './people.ts'
import { type Answer, type Api, addRecord, apiOf } from './record-world.ts'

const shortOf = ({ url }: HookReceiver) => url.replace('http://', '')
const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' })
const tab = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

/** Subscribes a receiver in the interface, and stays on the page of the webhook. */
async function subscribe(page: Page, { url }: HookReceiver, ...changes: string[]): Promise<void> {
  await page.goto('/settings/webhooks/new')
  await page.getByRole('textbox', { name: 'URL' }).fill(url)
  for (const name of changes) await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page).toHaveURL(/\/settings\/webhooks\/\d+$/)
}

/** Deletes the webhook of the open page in its settings. */
async function remove(page: Page): Promise<void> {
  await tab(page, 'Settings').click()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page).toHaveURL(/\/settings\/webhooks$/)
}

/** Moves a new lead to the second stage of its pipeline. */
async function moveLead(api: Api, name: string): Promise<{ lead: number; stage: number }> {
  const lead = await addRecord(api, 'leads', { name })
  const { pipeline_id, status_id } = await api.get(`leads/${lead}`)
  const { _embedded } = await api.get(`leads/pipelines/${pipeline_id}`)
  const other = _embedded.statuses.find(({ id, type }: Answer) => type !== 1 && id !== status_id)
  await api.patch(`leads/${lead}`, { status_id: other.id })
  return { lead, stage: other.id }
}

test('an administrator subscribes an address and sees what it received and answered', async ({ page }) => {
  test.setTimeout(120_000)
  const seen = watch(page)
  await signIn(page)
  const api = await apiOf(page)
  await addRecord(api, 'leads', { name: 'Tandem for the example' })
  const receiver = await receiveHooks()
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('link', { name: 'Add webhook' }).first().click()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByRole('textbox', { name: 'URL' })).toBeFocused()
  await expect(page.getByText('Select at least one change.')).toBeVisible()
  await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
  await page.getByRole('checkbox', { name: 'Lead moved to another stage' }).check()
  const example = page.getByRole('region', { name: 'Example' })
  await expect(example).toContainText('leads[status][0][name] = Tandem for the example')
  await checkPage(page, '/settings/webhooks/new', 'light')
  await page.getByRole('button', { name: 'Add webhook' }).click()

  await expect(page.getByRole('heading', { level: 1, name: shortOf(receiver) })).toBeVisible()
  await expect(page.getByText('Nothing has been sent yet.')).toBeVisible()
  const { lead, stage } = await moveLead(api, 'Cargo bicycle')
  const row = deliveries(page).getByRole('row').filter({ hasText: 'leads[status]' })
  await expect(row).toContainText('Delivered')
  await expect(row).toContainText('Status 200')
  expect(receiver.hits).toHaveLength(1)
  await checkPage(page, '/settings/webhooks/one', 'light')

  await row.getByRole('link', { name: 'leads[status]' }).click()
  const request = page.getByRole('region', { name: 'Request', exact: true })
  await expect(request).toContainText(`leads[status][0][id] = ${lead}`)
  await expect(request).toContainText(`leads[status][0][status_id] = ${stage}`)
  await expect(request).toContainText('content-type: application/x-www-form-urlencoded')
  await request.getByText('As sent').click()
  await expect(request.getByRole('region', { name: 'Body' })).toHaveText(receiver.hits[0]?.body ?? '')
  await expect(page.getByRole('region', { name: 'Answer to attempt 1' })).toHaveText('Thank you')
  await checkPage(page, '/settings/webhooks/delivery', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await checkPage(page, '/settings/webhooks/delivery', 'dark')

  await page.goBack()
  await page.getByRole('radiogroup', { name: 'Show' }).getByText('Failed').click()
  await expect(page).toHaveURL(/state=failed$/)
  await expect(page.getByText('No deliveries in this state.')).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Show' }).getByText('All', { exact: true }).click()
  await row.getByRole('button', { name: /^Send again/ }).click()
  await expect(row).toHaveCount(2)
  await expect.poll(() => receiver.hits.length).toBe(2)
  expect(receiver.hits[1]?.body).toBe(receiver.hits[0]?.body)
  await remove(page)
  await expect(page.getByText(shortOf(receiver))).toHaveCount(0)
  receiver.stop()
  expect(seen).toEqual([])
})

test('a webhook that failures disabled is enabled, and what failed is sent again', async ({ page }) => {
  test.setTimeout(120_000)
  const seen = watch(page)
  await signIn(page)
  const api = await apiOf(page)
  const receiver = await receiveHooks()
  receiver.answer(410, 'Moved away')
  await subscribe(page, receiver, 'Lead added')
  await addRecord(api, 'leads', { name: 'Lost bicycle' })
  await expect(page.getByText('This webhook is disabled and sends nothing')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send failed ones again…' })).toBeDisabled()
  const row = deliveries(page).getByRole('row').filter({ hasText: 'leads[add]' })
  await expect(row).toContainText('Failed')
  await expect(row).toContainText('Status 410')

  await page.getByRole('link', { name: 'Webhooks' }).first().click()
  const notice = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: shortOf(receiver) })
  await expect(notice).toContainText('Its address answered 410: it no longer exists.')
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await checkPage(page, '/settings/webhooks', scheme)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await settle(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 720 })
  receiver.answer(200, 'Here again')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(notice.getByRole('link', { name: shortOf(receiver) })).toBeVisible()
  await notice.getByRole('button', { name: `Enable ${shortOf(receiver)}` }).click()
  await expect(notice).toHaveCount(0)

  await page.goto('/settings/webhooks')
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('button', { name: 'Send failed ones again…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(dialog).toContainText('1 delivery queued again')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(row.first()).toContainText('Delivered')
  await expect(row).toHaveCount(2)
  await expect(row.last()).toContainText('Failed')

  await visit(page, '/settings/audit?filter[area]=webhooks')
  const log = page.getByRole('list', { name: 'Entries for Today' }).getByRole('listitem')
  const host = new URL(receiver.url).host
  for (const said of ['Webhook added', 'Webhook enabled', 'Deliveries sent again to webhook'])
    await expect(log.filter({ hasText: host }).filter({ hasText: said })).toHaveCount(1)
  await expect(log.filter({ hasText: 'Webhook disabled' }).first()).toContainText('Patchbay')
  await log.filter({ hasText: 'Webhook disabled' }).first().getByRole('link', { name: host }).click()
  await expect(page.getByRole('heading', { level: 1, name: shortOf(receiver) })).toBeVisible()
  await remove(page)
  receiver.stop()
  expect(seen).toEqual([])
})

test('requests are signed with a secret that is shown once, and the changes are edited', async ({ page }) => {
  test.setTimeout(120_000)
  const seen = watch(page)
  await signIn(page)
  const api = await apiOf(page)
  const receiver = await receiveHooks()
  await subscribe(page, receiver, 'Lead deleted')
  const address = page.url()
  await tab(page, 'Signatures').click()
  await expect(page.getByText('Requests are not signed')).toBeVisible()
  await page.getByRole('button', { name: 'Sign requests' }).click()
  const secret = await page.getByRole('code').filter({ hasText: 'whsec_' }).innerText()
  await checkPage(page, '/settings/webhooks/signing', 'light')

  await tab(page, 'Settings').click()
  await page.getByRole('checkbox', { name: 'Lead deleted' }).uncheck()
  await page.getByRole('checkbox', { name: 'Select all: Tasks' }).check()
  await expect(page.getByRole('checkbox', { name: 'Task deleted' })).toBeChecked()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  await addRecord(api, 'tasks', { text: 'Oil the chain', complete_till: Math.floor(Date.now() / 1000) + 600 })
  await expect.poll(() => receiver.hits.length).toBe(1)
  const [hit] = receiver.hits
  const signature = createHmac('sha256', secret).update(String(hit?.body)).digest('hex')
  expect(hit?.headers['x-signature']).toBe(signature)
  expect(new URLSearchParams(hit?.body).get('task[add][0][text]')).toBe('Oil the chain')

  await page.goto(`${address}/signing`)
  await expect(page.getByText('Requests are signed')).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)
  await page.getByRole('button', { name: 'Stop signing' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop signing' }).click()
  await expect(page.getByRole('main').getByText('Requests are not signed')).toBeVisible()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('A person disabled it.')).toBeVisible()
  await addRecord(api, 'tasks', { text: 'Inflate', complete_till: Math.floor(Date.now() / 1000) + 600 })
  await page.getByRole('button', { name: 'Enable' }).click()
  await expect(page.getByText('A person disabled it.')).toBeHidden()
  await addRecord(api, 'tasks', { text: 'Repaint', complete_till: Math.floor(Date.now() / 1000) + 600 })
  await expect.poll(() => receiver.hits.length).toBe(2)
  expect(receiver.hits[1]?.body).toContain('Repaint')
  expect(receiver.hits[1]?.headers['x-signature']).toBeUndefined()
  await remove(page)
  receiver.stop()
  expect(seen).toEqual([])
})

test('an address has one webhook, and the account chooses how they are delivered', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const receiver = await receiveHooks()
  await subscribe(page, receiver, 'Customer added')
  const address = page.url()
  page.on('dialog', (leaving) => leaving.accept())
  const addAgain = async () => {
    await page.goto('/settings/webhooks/new')
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
    await page.getByRole('checkbox', { name: 'Lead added' }).check()
    await page.getByRole('button', { name: 'Add webhook' }).click()
  }
  // The page does not know a webhook that somebody else has just added.
  const list = '**/web/webhooks'
  await page.route(list, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { webhooks: [] } }) : route.fallback(),
  )
  await addAgain()
  await expect(page.getByText('This address is already subscribed.').first()).toBeVisible()
  await page.unroute(list)
  await addAgain()
  await expect(page.getByText('This address already has a webhook. Change that one.')).toBeVisible()
  // The server finds more faults than the form.
  await page.getByRole('textbox', { name: 'URL' }).fill('http://ann:secret@hook.example/')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByText(/^Invalid URL\./)).toBeVisible()

  await page.getByRole('link', { name: 'Cancel' }).click()
  const table = page.getByRole('table', { name: 'Webhooks' })
  await expect(table.getByRole('row').filter({ hasText: receiver.url })).toContainText('Customer added')
  const plan = async () => (await (await page.request.get('/web/webhooks/plan')).json()).plan
  await expect(page.getByRole('radio', { name: 'Patient' })).toBeChecked()
  for (const [name, stored] of [
    ['Like the live service', 'platform'],
    ['Patient', 'patient'],
  ] as const) {
    await page.getByRole('radio', { name }).check()
    await expect.poll(plan).toBe(stored)
  }
  await page.goto(address)
  await remove(page)
  receiver.stop()
  expect(seen).toEqual([])
})
