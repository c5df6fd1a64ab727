import { expect, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { demo, register, signIn, watch } from './people.ts'
import { startSite } from './site.ts'

/** The integrator's page: a button that opens the consent page in a popup. */
const opener = (consent: string) => `<!doctype html><title>Integrator</title>
  <button onclick="window.open('${consent}', 'consent', 'width=480,height=640')">Connect</button>`

test('page mode: the redirect after the form leaves our origin under our Content-Security-Policy', async ({
  page,
}) => {
  const seen = watch(page)
  const site = await startSite()
  await signIn(page)
  const { client_id } = await register(page, { name: 'Page', redirect_uri: `${site.url}/back` })
  const shown = await page.goto(`/oauth?client_id=${client_id}&state=a%20b`)
  const headers = shown?.headers() ?? {}
  expect(headers['content-security-policy']).toContain(`form-action 'self' ${site.url};`)
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['cross-origin-opener-policy']).toBe('unsafe-none')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['referrer-policy']).toBe('no-referrer')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(
    new RegExp(`^${site.url}/back\\?code=pbc_[\\w-]+&referer=[^&]+&client_id=${client_id}&state=a%20b&iss=`),
  )
  expect(seen).toEqual([])
  site.stop()
})

test('popup: the window closes, and the main window goes to the redirect URI', async ({
  page,
  baseURL,
  context,
}) => {
  const pages: Record<string, string> = {}
  const site = await startSite(pages)
  await signIn(page)
  const { client_id } = await register(page, { name: 'Popup', redirect_uri: `${site.url}/back` })
  pages['/'] = opener(`${baseURL}/oauth?client_id=${client_id}&state=s&mode=popup`)
  await page.goto(site.url)
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Connect' }).click(),
  ])
  const seen = watch(popup)
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name: 'Allow' }).click()])
  await expect(page).toHaveURL(new RegExp(`^${site.url}/back\\?code=pbc_`))
  expect(seen).toEqual([])
  site.stop()
})

test('popup of the usual size: both buttons are visible without scrolling', async ({ page }) => {
  const site = await startSite()
  await signIn(page)
  // A long name makes the page higher than the window.
  const name = 'Small window of a long name '.repeat(8).trim()
  const { client_id } = await register(page, { name, redirect_uri: `${site.url}/back` })
  // The size of the popup of the platform's button.
  await page.setViewportSize({ width: 750, height: 580 })
  await page.goto(`/oauth?client_id=${client_id}&mode=popup`)
  for (const button of ['Allow', 'Decline'])
    await expect(page.getByRole('button', { name: button })).toBeInViewport({ ratio: 1 })
  for (const colorScheme of themesOf('consent popup')) {
    await page.emulateMedia({ colorScheme })
    await checkPage(page, 'consent popup', colorScheme)
  }
  site.stop()
})

test('popup with sign-in: the opener is kept', async ({ browser, page, baseURL }) => {
  const pages: Record<string, string> = {}
  const site = await startSite(pages)
  await signIn(page)
  const { client_id } = await register(page, { name: 'Signed out', redirect_uri: `${site.url}/back` })
  pages['/'] = opener(`${baseURL}/oauth?client_id=${client_id}&mode=popup`)
  const stranger = await browser.newContext()
  const main = await stranger.newPage()
  await main.goto(site.url)
  const [popup] = await Promise.all([
    stranger.waitForEvent('page'),
    main.getByRole('button', { name: 'Connect' }).click(),
  ])
  await popup.getByLabel('Email').fill(demo.user.email)
  await popup.getByLabel('Password', { exact: true }).fill(demo.user.password)
  await popup.getByRole('button', { name: 'Sign in' }).click()
  await expect(popup.getByRole('heading', { name: 'Allow Signed out to access your account?' })).toBeVisible()
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name: 'Decline' }).click()])
  await expect(main).toHaveURL(`${site.url}/back?error=access_denied&client_id=${client_id}`)
  await stranger.close()
  site.stop()
})

test('post_message: the redirect happens inside the opened window', async ({ page, baseURL, context }) => {
  const pages: Record<string, string> = {}
  const site = await startSite(pages)
  await signIn(page)
  const { client_id } = await register(page, { name: 'Post message', redirect_uri: `${site.url}/back` })
  pages['/'] = opener(`${baseURL}/oauth?client_id=${client_id}&mode=post_message`)
  pages['/back'] =
    `<!doctype html><script>opener.postMessage(location.search, location.origin); close()</script>`
  await page.goto(site.url)
  await page.evaluate(`window.addEventListener('message', ({ data }) => { document.title = data })`)
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Connect' }).click(),
  ])
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name: 'Allow' }).click()])
  await expect(page).toHaveTitle(/^\?code=pbc_/)
  expect(page.url()).toBe(`${site.url}/`)
  site.stop()
})

test('a wrong client or redirect URI and a used form show an explanation and do not redirect', async ({
  page,
  baseURL,
}) => {
  const site = await startSite()
  await signIn(page)
  const { client_id } = await register(page, { name: 'Wrong', redirect_uri: `${site.url}/back` })
  await page.goto('/oauth?client_id=7d0b8b6e-0000-4000-8000-000000000000')
  await expect(page.getByText('Integration not found')).toBeVisible()
  await page.goto(`/oauth?client_id=${client_id}&redirect_uri=${encodeURIComponent(`${site.url}/back2`)}`)
  await expect(page.getByText('The link uses an address that is not registered')).toBeVisible()
  expect(page.url()).toContain(String(baseURL))

  await page.goto(`/oauth?client_id=${client_id}`)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.locator('#came-back')).toBeVisible()
  const replay = await page.context().newPage()
  await replay.goto(`/oauth?client_id=${client_id}`)
  await replay.locator('input[name=form_token]').evaluate((input: { value: string }) => {
    input.value = 'used-before'
  })
  await replay.getByRole('button', { name: 'Allow' }).click()
  await expect(replay).toHaveURL(/\/oauth\/refused\?reason=stale_form$/)
  await expect(replay.getByText('This form was already used or has expired')).toBeVisible()
  site.stop()
})

test('other pages can neither frame it nor submit its form', async ({ page, baseURL }) => {
  const pages: Record<string, string> = {}
  const site = await startSite(pages)
  await signIn(page)
  const { client_id } = await register(page, { name: 'Framed', redirect_uri: `${site.url}/back` })
  pages['/frame'] = `<!doctype html><iframe src="${baseURL}/oauth?client_id=${client_id}"></iframe>`
  pages['/forge'] =
    `<!doctype html><form method="post" action="${baseURL}/oauth"><input name="form_token" value="x"><input name="decision" value="allow"><input name="account_id" value="${demo.account.id}"><button>Go</button></form>`
  await page.goto(`${site.url}/frame`)
  await expect(page.frameLocator('iframe').getByRole('button', { name: 'Allow' })).toHaveCount(0)
  await page.goto(`${site.url}/forge`)
  await page.getByRole('button', { name: 'Go' }).click()
  await expect(page).toHaveURL(/\/oauth\/refused\?reason=/)
  site.stop()
})
