import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Page, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { receiveHooks } from './hook-receiver.ts'
import { visit } from './navigate.ts'
import { ask } from './own-api.ts'
import { demo, signIn, watch } from './people.ts'
import { addRecord, apiOf } from './record-world.ts'
import { type Language, speaker } from './words.ts'

/** English is the last, for the tests that follow. */
const languages: Language[] = ['es', 'ru', 'pt', 'en']
const TELEPHONE = { width: 390, height: 844 }
const list = (page: Page) => page.getByRole('list', { name: 'Requests, newest first' })
const rows = (page: Page) => list(page).locator('[data-log-row]')
const tab = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

/**
 * Calls the API as the demo's integration, with its token, at the host of the account: a call without a valid token is in the log
 * of the account at whose host it arrives.
 */
function callAs(page: Page, token = demo.tokens.access_token) {
  return async (method: string, path: string, data?: unknown): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, host: new URL(demo.account.url).host }
    const answer = await page.request.fetch(path, { method, headers, ...(data !== undefined && { data }) })
    return answer.status()
  }
}

const setLog = (page: Page, setting: { is_on: boolean; keeps_bodies?: boolean }) =>
  ask(page, 'PUT', '/web/requests/settings', { days: 3, keeps_bodies: true, ...setting })

test('a refused call appears with its reason, and two clicks lead to the rule', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const call = callAs(page)
  await call('GET', '/api/v4/account')
  await page.goto('/developers/requests')
  await expect(rows(page).first()).toContainText('/api/v4/account')
  // Live: it arrives without a reload.
  expect(await call('POST', '/api/v4/leads', [{ price: 'five' }])).toBe(400)
  const refused = rows(page).filter({ hasText: 'price: This value should be of type number.' }).first()
  await expect(refused).toBeVisible()
  await checkPage(page, '/developers/requests/list', 'light')
  await refused.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('POST /api/v4/leads')
  await expect(page.getByRole('region', { name: /^Body/ })).toContainText('"price": "five"')
  await tab(page, 'Why').click()
  const rule = page.getByRole('region', { name: 'Reason' })
  await expect(rule).toContainText('price: This value should be of type number.')
  const docs = await rule.getByRole('link', { name: 'Read about this rule' }).getAttribute('href')
  expect(docs).toBe('/docs/errors#invalid')
  await checkPage(page, '/developers/requests/why', 'light')
  await tab(page, 'Answer').click()
  await expect(page.getByRole('main')).toContainText('validation-errors')
  expect(seen).toEqual([])
})

test('in each language and theme, two clicks lead from a failed call to the sentence that explains it', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const seen = watch(page)
  await signIn(page)
  const { secret = '', scope_id = '' } = demo.channel_live ?? {}
  const headers = {
    'x-signature': createHmac('sha1', `${secret}\n`).update('{}').digest('hex'),
    'content-type': 'application/json',
  }
  const path = `/v2/origin/custom/${scope_id}`
  expect((await page.request.post(path, { headers, data: '{}' })).status()).toBe(403)
  for (const lang of languages) {
    await ask(page, 'PATCH', '/web/profile', { lang })
    const say = speaker(lang)
    const sentence = say('signatures.mistakes.secret_whitespace')
    for (const colorScheme of themesOf(lang)) {
      await page.emulateMedia({ colorScheme })
      await page.goto('/')
      const main = page.getByRole('navigation', { name: say('nav.label') })
      await main.getByRole('link', { name: say('developers.nav.title') }).click()
      const row = page.locator('[data-log-row]').filter({ hasText: path }).first()
      // English shows the sentence of the server.
      const shown = lang === 'en' ? 'The secret has white space at its beginning or its end.' : sentence
      await expect(row).toContainText(shown)
      await row.click()
      await expect(page.getByRole('main')).toContainText(shown)
      await checkPage(page, `/developers/requests/explained/${lang}`, colorScheme)
    }
    await page.getByRole('link', { name: say('requests.check_signature') }).click()
    await expect(page.getByRole('alert')).toContainText(sentence)
  }
  expect(seen).toEqual([])
})

test('filters are in the address; a longer list draws only its visible rows', async ({ page }) => {
  test.setTimeout(180_000)
  await signIn(page)
  const call = callAs(page)
  for (let part = 0; part < 15; part++) {
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => call('GET', `/api/v4/tasks/${9_000_000 + part * 10 + i}`)),
    )
    // Within the rate limit of an integration.
    await sleep(500)
  }
  expect(await call('POST', '/api/v4/leads', [{ name: 'Unread', price_rub: 5 }])).toBe(200)
  await page.goto('/developers/requests?status=404&method=GET')
  await expect(rows(page).first()).toContainText('404')
  expect(await rows(page).count()).toBeLessThan(100)
  const scroll = list(page).locator('xpath=..')
  await expect
    .poll(async () => {
      await scroll.evaluate((box: { scrollTop: number; scrollHeight: number }) => {
        box.scrollTop = box.scrollHeight
      })
      // The last part makes the list longer, so the oldest rows appear only after another scroll.
      const isEnd = await page.getByText('The log has no older requests').isVisible()
      return isEnd ? list(page).textContent() : ''
    })
    .toContain('/api/v4/tasks/900000')
  expect(await rows(page).count()).toBeLessThan(100)

  await visit(page, '/developers/requests')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('option', { name: 'Unread members' }).click()
  await page.getByRole('radio', { name: 'Only with members that nothing reads' }).check()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/unread=true/)
  await expect(rows(page).first()).toContainText('Nothing reads: price_rub')
  await expect(list(page)).not.toContainText('404')
  await visit(page, '/developers/requests?text=nowhere-at-all')
  await expect(page.getByText('No requests match')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rows(page).first()).toBeVisible()
})

test('a request is copied as code and sent again; its tokens are not shown', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const word = `Recorded ${Date.now()}`
  expect(await callAs(page)('POST', '/api/v4/leads', [{ name: word }])).toBe(200)
  await page.goto(`/developers/requests?text=${encodeURIComponent(word)}`)
  await rows(page).first().click()
  await page.getByRole('button', { name: 'Copy as code' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`--data-raw '[{"name":"${word}"}]'`)
  await expect(dialog).toContainText('"$TOKEN"')
  await dialog.getByText('Python', { exact: true }).click()
  await expect(dialog).toContainText("os.environ['TOKEN']")
  await checkPage(page, '/developers/requests/code', 'light')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Send again' }).click()
  // A double click sends it once.
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).dblclick()
  await expect(page).toHaveURL(/\/developers\/requests\/\d+\/answer$/)
  await expect(page.getByRole('region', { name: /^Body/ })).toContainText('"leads"')
  await expect(page.locator('body')).not.toContainText(demo.tokens.access_token.slice(-20))
  const { _embedded } = await ask<{ _embedded: { leads: unknown[] } }>(
    page,
    'GET',
    `/web/v4/leads?query=${encodeURIComponent(word)}`,
  )
  expect(_embedded.leads).toHaveLength(2)

  // A request with a wrong token cannot be sent again; the button says why.
  await callAs(page, 'nobody')('GET', '/api/v4/account?lost=1')
  await visit(page, '/developers/requests?status=401')
  await rows(page).first().click()
  const button = page.getByRole('button', { name: 'Send again' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAttribute('aria-description', 'The request had no valid access token')
  expect(seen).toEqual([])
})

test('administrators see that requests are recorded, turn it off and on, and clear the log', async ({
  page,
}) => {
  await signIn(page)
  await callAs(page)('GET', '/api/v4/account')
  for (const path of ['/developers/requests', '/developers/deliveries']) {
    await page.goto(path)
    await expect(page.getByRole('region', { name: 'Request log' })).toContainText('Requests are recorded')
  }
  await visit(page, '/developers/requests')
  try {
    await page.getByRole('region', { name: 'Request log' }).getByRole('button', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Request log', exact: true })
    await checkPage(page, '/developers/requests/settings', 'light')
    await dialog.getByRole('switch', { name: /^Record requests/ }).click()
    await dialog.getByRole('switch', { name: /^Keep bodies/ }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const bar = page.getByRole('region', { name: 'Request log' })
    await expect(bar).toContainText('The request log is off')
    await callAs(page)('GET', '/api/v4/account?while=off')
    await bar.getByRole('button', { name: 'Turn on' }).click()
    await expect(bar).toContainText('without bodies')
    await callAs(page)('GET', '/api/v4/account?while=on')
    await expect(rows(page).first()).toContainText('while=on')
    await expect(list(page)).not.toContainText('while=off')

    await bar.getByRole('button', { name: 'Settings' }).click()
    await dialog.getByRole('button', { name: 'Clear the log' }).click()
    const sure = page.getByRole('dialog', { name: 'Clear the request log?' })
    await sure.getByRole('button', { name: 'Clear the log' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('No requests yet')).toBeVisible()
  } finally {
    await setLog(page, { is_on: true })
  }
})

test('a delivery is in the list of all, shows its attempts, and is sent again', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const receiver = await receiveHooks()
  const { id } = await ask<{ id: number }>(page, 'POST', '/web/v4/webhooks', {
    destination: receiver.url,
    settings: ['add_lead'],
  })
  try {
    await addRecord(await apiOf(page), 'leads', { name: 'Delivered' })
    await page.goto(`/developers/deliveries?receiver=webhook:${id}`)
    const table = page.getByRole('table', { name: 'Deliveries' })
    const row = table.getByRole('row').filter({ hasText: 'leads[add]' })
    await expect(row).toContainText('Delivered')
    await expect(row).toContainText(receiver.url)
    await checkPage(page, '/developers/deliveries/list', 'light')
    await row.getByRole('link', { name: 'leads[add]' }).click()
    await expect(page.getByRole('region', { name: 'Attempts' })).toContainText('Status 200')
    await checkPage(page, '/developers/deliveries/one', 'light')
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => receiver.hits.length).toBe(2)
    // The page of a delivery leads back to the list of all.
    await expect(page).toHaveURL(/\/developers\/deliveries$/)
    await visit(page, `/developers/deliveries?receiver=webhook:${id}`)
    await page.getByRole('button', { name: 'Send again since…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Which ones' }).click()
    await page.getByRole('option', { name: 'All that have ended' }).click()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await expect(dialog).toContainText('2 deliveries')
    await expect.poll(() => receiver.hits.length).toBe(4)
    await page.setViewportSize(TELEPHONE)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(TELEPHONE.width)
  } finally {
    await ask(page, 'DELETE', `/web/webhooks/${id}`)
    receiver.stop()
  }
  expect(seen).toEqual([])
})
