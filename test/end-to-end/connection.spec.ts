import { expect, type Route, test } from '@playwright/test'
import { pushTo } from './callbacks.ts'
import { checkPage } from './check-page.ts'
import { demo } from './people.ts'
import { addRecord, administrator, anotherPerson } from './record-world.ts'

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
  // A page whose file is not loaded yet. The application stays, and opens the page later.
  await page.getByRole('link', { name: 'Events' }).click()
  await expect(page.getByText('The server does not respond.')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: `Before ${word}` })).toBeVisible()
  await addRecord(api, 'contacts', { name: `After ${word}` })
  await expect(page.getByText(sign)).toBeHidden()
  await expect(page.getByRole('link', { name: `After ${word}` })).toBeVisible()
})

test('a change while a stream that has sent nothing is broken is shown when it is back', async ({ page }) => {
  const api = await administrator(page)
  const word = Math.random().toString(36).slice(2, 10)
  await addRecord(api, 'contacts', { name: `Before ${word}` })
  const [broken, back] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let opened = 0
  await page.route('**/web/v4/events?*page_of*', async (route) => {
    opened += 1
    if (opened === 1)
      return route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body: 'retry: 10\n\n' })
    broken.resolve()
    await back.promise
    return route.continue()
  })
  await page.goto(`/contacts?query=${word}`)
  await expect(page.getByRole('link', { name: `Before ${word}` })).toBeVisible()
  await broken.promise
  await addRecord(api, 'contacts', { name: `After ${word}` })
  // The stream begins when the page began to read, counted from its opening.
  await page.waitForTimeout(1_500)
  back.resolve()
  await expect(page.getByRole('link', { name: `After ${word}` })).toBeVisible()
})

test('a connection that is lost while the server is being checked is shown', async ({ page }) => {
  await administrator(page)
  await page.goto('/contacts')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const checked = Promise.withResolvers<Route>()
  await page.route('**/healthz', (route) => checked.resolve(route), { times: 1 })
  await page.evaluate("dispatchEvent(new Event('offline'))")
  const first = await checked.promise
  await page.route('**/healthz', (route) => route.abort('internetdisconnected'))
  await page.evaluate("dispatchEvent(new Event('offline'))")
  await first.fulfill({ status: 200, body: '{}' })
  await expect(page.getByText(sign)).toBeVisible()
  await page.unroute('**/healthz')
  await expect(page.getByText(sign)).toBeHidden()
})

test('a network that is lost after the server was checked is shown', async ({ page, context }) => {
  await administrator(page)
  await page.goto('/contacts')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The check is answered, although the network is lost meanwhile.
  const answered = { status: 200, body: '{}' }
  await page.route('**/healthz', (route) => route.fulfill(answered), { times: 1 })
  await context.setOffline(true)
  await expect(page.getByText(sign)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(sign)).toBeHidden()
})

test('a proxy that answers for the server, which does not, is a lost connection', async ({ page }) => {
  await administrator(page)
  await page.goto('/contacts')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const down = (route: Route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
  await page.route(/\/(web\/v4|healthz)/, down)
  await page.getByRole('link', { name: 'Companies' }).click()
  await expect(page.getByText(sign)).toBeVisible()
  await expect(page.getByText('Something went wrong on the server.')).toHaveCount(0)
  await page.unroute(/\/(web\/v4|healthz)/, down)
  await expect(page.getByText(sign)).toBeHidden()
  await expect(page.getByText('The server does not respond.')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Companies' })).toBeVisible()
})

test('a server that does not respond is shown, and so is a program that is still loading', async ({
  page,
}) => {
  await administrator(page)
  const started = Promise.withResolvers<void>()
  await page.route('**/assets/index-*.js', async (route) => {
    await started.promise
    await route.continue()
  })
  await page.clock.install()
  await page.goto('/contacts', { waitUntil: 'commit' })
  await expect(page.getByRole('progressbar', { name: 'Patchbay' })).toBeVisible()
  started.resolve()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  // The connection breaks without a sign: nothing is answered, and nothing fails.
  const held: Route[] = []
  await page.route(/\/web\/v4\/companies|\/healthz/, (route) => void held.push(route))
  await page.getByRole('link', { name: 'Companies' }).click()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const requests = held.length
  await page.clock.runFor(9_000)
  await expect.poll(() => held.length).toBeGreaterThan(requests)
  await expect(page.getByText(sign)).toBeHidden()
  await page.clock.runFor(9_000)
  await expect(page.getByText(sign)).toBeVisible()
  await page.unroute(/\/web\/v4\/companies|\/healthz/)
  await page.clock.runFor(20_000)
  await expect(page.getByText(sign)).toBeHidden()
})

test('a page whose files went with an older version is opened by the new one', async ({ page }) => {
  await administrator(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  let isMissing = true
  await page.route('**/assets/administrators-*', (route) =>
    isMissing ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  )
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isMissing = false
  })
  await page.getByRole('link', { name: 'Developers' }).click()
  await expect(page.getByRole('heading', { name: 'Requests' })).toBeVisible({ timeout: 20_000 })
})

test('a page whose files stay missing says that the server has a new version', async ({ page }) => {
  await administrator(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // During a deployment, another server answers with the page of one version and lacks the files of the other.
  let isMissing = true
  await page.route('**/assets/administrators-*', (route) =>
    isMissing ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  )
  await page.getByRole('link', { name: 'Developers' }).click()
  await expect(page.getByText('The server has a new version.')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('The server does not respond.')).toHaveCount(0)
  // To remove the route could interrupt a request, after which the page would load itself again.
  isMissing = false
  await page.getByRole('button', { name: 'Reload page' }).click()
  await expect(page.getByRole('heading', { name: 'Requests' })).toBeVisible()
})

test('the message box of a conversation stays on the screen without a connection', async ({
  page,
  context,
  baseURL,
}) => {
  await administrator(page)
  if (!demo.channel) throw new Error('no channel')
  const name = `Olga ${Math.random().toString(36).slice(2, 8)}`
  await pushTo(String(baseURL), demo.channel, {
    from: { id: name, name },
    message: { type: 'text', text: 'Is anybody there?' },
  })
  await page.goto('/inbox')
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name }).click()
  const send = page.getByRole('textbox', { name: /^Message to/ })
  await expect(send).toBeInViewport({ ratio: 1 })
  await context.setOffline(true)
  await expect(page.getByText(sign)).toBeVisible()
  await expect(send).toBeInViewport({ ratio: 1 })
  await expect(page.getByText(sign)).toBeInViewport()
  await context.setOffline(false)
})

test('more windows than a browser has connections for load, and show changes', async ({
  browser,
  baseURL,
  request,
}) => {
  const admin = await administrator({ request })
  const { page } = await anotherPerson(browser, admin, baseURL, { name: 'Wendy Windows' })
  const word = Math.random().toString(36).slice(2, 10)
  await addRecord(admin, 'contacts', { name: `Before ${word}` })
  const windows = [page]
  while (windows.length < 5) windows.push(await page.context().newPage())
  for (const one of windows) {
    await one.goto(`/contacts?query=${word}`)
    await expect(one.getByRole('link', { name: `Before ${word}` })).toBeVisible()
  }
  await addRecord(admin, 'contacts', { name: `After ${word}` })
  for (const one of windows) await expect(one.getByRole('link', { name: `After ${word}` })).toBeVisible()
  // A window that is used again has its stream again.
  const streams = Promise.all(
    ['events', 'chats'].map((of) =>
      page.waitForRequest(
        (sent) => sent.url().includes(`/web/v4/${of}?`) && sent.resourceType() === 'eventsource',
      ),
    ),
  )
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await streams
  await page.context().close()
})
