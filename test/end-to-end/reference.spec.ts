import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { isLong } from '../long.ts'
import { demo, signIn, watch } from './people.ts'

/** Opens the reference at an operation, for example `account/GET/api/v4/account`. */
async function openAt(page: Page, operation: string): Promise<void> {
  // Five megabytes of script and the description load first, which may be slow.
  await page.goto(`/api/reference#tag/${operation}`)
  await expect(page.getByRole('button', { name: /^Test Request/ }).first()).toBeVisible({ timeout: 120_000 })
}

/** Opens the form of an operation, and returns it. */
async function openForm(page: Page, method: string, path: string) {
  await page.getByRole('button', { name: `Test Request (${method} ${path})` }).click()
  return page.getByRole('dialog')
}

/** Collects the addresses of other hosts that the page asks. */
function watchHosts(context: BrowserContext, baseURL: string | undefined): string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== baseURL)
      asked.push(request.url())
  })
  return asked
}

for (const colorScheme of isLong ? (['light', 'dark'] as const) : (['dark'] as const))
  test(`the reference in ${colorScheme} calls an operation as an integration, and leads to its row in the log`, async ({
    browser,
    baseURL,
  }) => {
    test.setTimeout(240_000)
    const context = await browser.newContext({ baseURL, colorScheme })
    const page = await context.newPage()
    const seen = watch(page)
    const others = watchHosts(context, baseURL)
    await signIn(page)
    await openAt(page, 'account/GET/api/v4/account')
    await expect(page.getByRole('combobox', { name: 'Calls as' })).toHaveText(/Demo integration/)
    if (isLong) await page.screenshot({ path: `test-results/pages/${colorScheme}-reference.png` })

    const form = await openForm(page, 'get', '/api/v4/account')
    const sent = page.waitForResponse('**/api/v4/account')
    await form.getByRole('button', { name: /^Send \w+ request to/ }).click()
    const response = await sent
    expect(response.status()).toBe(200)
    // The session must not reach the API, and the token must not reach the page.
    const { authorization = '', cookie } = await response.request().allHeaders()
    expect([authorization.slice(0, 10), cookie]).toEqual(['Bearer eyJ', undefined])
    await expect(form.getByText('"Demo Ltd"')).toBeVisible()
    expect(await page.content()).not.toContain(authorization.slice(7))
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      'eyJ',
    )
    const id = response.headers()['x-request-id'] as string
    await expect(form.getByRole('link', { name: 'Show this request in the request log' })).toHaveAttribute(
      'href',
      `/developers/requests?request_id=${id}`,
    )
    if (isLong) await page.screenshot({ path: `test-results/pages/${colorScheme}-reference-called.png` })
    const logged = await (await page.request.get(`/web/requests?request_id=${id}`)).json()
    expect(logged.requests).toMatchObject([
      { path: '/api/v4/account', status: 200, operation: 'account.get' },
    ])
    expect([seen, others]).toEqual([[], []])
    await context.close()
  })

test('the reference signs a chat call, fills in the scope and the example, and gives a command for a call without body', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const seen = watch(page)
  await signIn(page)
  await openAt(page, 'chat-channels/POST/v2/origin/custom/{scope_id}')
  const scope = `${demo.channel_live?.id}_${demo.account.amojo_id}`
  const form = await openForm(page, 'post', '/v2/origin/custom/{scope_id}')
  const sent = page.waitForResponse(`**/v2/origin/custom/${scope}`)
  await form.getByRole('button', { name: /^Send \w+ request to/ }).click()
  const response = await sent
  const { new_message } = await response.json()
  expect(await response.request().headerValue('x-signature')).toMatch(/^[0-9a-f]{40}$/)
  expect(await page.content()).not.toContain(demo.channel_live?.secret)

  await openAt(page, 'chat-channels/GET/v2/origin/custom/{scope_id}/chats/{conversation_id}/history')
  await page.reload()
  const reading = await openForm(page, 'get', '/v2/origin/custom/{scope_id}/chats/{conversation_id}/history')
  const row = reading.getByRole('row', { name: /^Include conversation_id/ })
  await row.getByRole('combobox', { name: 'Value' }).click()
  await page.keyboard.type(new_message.conversation_id)
  await reading.getByRole('button', { name: /^Send \w+ request to/ }).click()
  await expect(reading.getByText('A browser cannot send this call')).toBeVisible()
  await expect(reading.getByText("-H 'X-Signature:")).toBeVisible()
  expect(seen).toEqual([])
})

test('the reference asks again for what was lost, and offers to load again', async ({ page }) => {
  test.setTimeout(180_000)
  await signIn(page)
  const parts = ['**/web/v4/account**', '**/api/openapi.json']
  await page.route(parts[0] as string, (route) => route.abort())
  await page.goto('/api/reference#tag/account/GET/api/v4/account')
  const notice = page.getByRole('alert')
  await expect(notice).toContainText('The server does not respond.')
  await page.unroute(parts[0] as string)
  for (const part of parts) await page.route(part, (route) => route.abort(), { times: 1 })
  await notice.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('combobox', { name: 'Calls as' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Test Request (get /api/v4/account)' })).toBeVisible({
    timeout: 120_000,
  })
})

test('a phone shows the response of a call, which is below the form', async ({ browser, baseURL }) => {
  test.setTimeout(180_000)
  const context = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await signIn(page)
  await openAt(page, 'leads/GET/api/v4/leads')
  const form = await openForm(page, 'get', '/api/v4/leads')
  await form.getByRole('button', { name: /^Send \w+ request to/ }).click()
  await expect(form.getByRole('link', { name: 'Show this request in the request log' })).toBeInViewport()
  await context.close()
})

test('the reference says who can call: it asks strangers to sign in, on a phone too', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000)
  const context = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const seen = watch(page)
  await page.goto('/api/reference')
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute(
    'href',
    '/sign-in?to=%2Fapi%2Freference',
  )
  await expect(page.getByRole('heading', { name: 'First call' })).toBeVisible({ timeout: 120_000 })
  if (isLong) await page.screenshot({ path: 'test-results/pages/phone-reference.png' })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(390)
  expect(seen).toEqual([])
  await context.close()
})
