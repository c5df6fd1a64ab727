import { expect, test } from '@playwright/test'
import { look } from './look.ts'
import { demo, signIn, watch } from './people.ts'

const { client_id } = demo.integration
const channel = `/settings/channels/${demo.channel?.id}`
/** Every room, and what shows that it has arrived. */
const rooms: Record<string, string> = {
  '/': 'My leads',
  '/leads': 'Leads',
  '/leads?shape=list': 'Leads',
  '/contacts': 'Contacts',
  '/companies': 'Companies',
  '/customers': 'Customers',
  '/lists': 'Lists',
  '/tasks': 'Tasks',
  '/events': 'Events',
  '/import': 'Imports and bulk changes',
  '/settings/pipelines': 'Pipelines',
  '/settings/fields': 'Fields',
  '/settings/lists': 'Lists',
  '/settings/audiences': 'Audiences, surveys, links',
  '/settings/audit': 'Audit log',
  '/integrations': 'Integrations',
  '/integrations/built': 'Integrations',
  '/integrations/new': 'New integration',
  [`/integrations/installed/${client_id}`]: 'Demo integration',
  [`/integrations/built/${client_id}`]: 'Demo integration',
  [`/integrations/built/${client_id}/keys`]: 'Demo integration',
  [`/integrations/built/${client_id}/log`]: 'Demo integration',
  [`/oauth?client_id=${client_id}&state=1`]: 'Let Demo integration into your account?',
  '/settings/profile': 'My profile',
  '/settings/account': 'Account',
  '/settings/people': 'People',
  '/settings/people/new': 'Add a person',
  '/settings/roles': 'Roles',
  '/settings/groups': 'Groups',
  '/inbox': 'Inbox',
  '/settings/channels': 'Channels',
  '/settings/channels/new': 'New channel',
  [channel]: 'Demo channel',
  [`${channel}/keys`]: 'Demo channel',
  [`${channel}/connections`]: 'Demo channel',
  [`${channel}/health`]: 'Demo channel',
  [`${channel}/log`]: 'Demo channel',
  '/settings/bot': 'Reply bot',
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every room in ${colorScheme}: no grave finding of axe, nothing on the console, nothing against the policy`, async ({
    browser,
    baseURL,
  }) => {
    // Forty rooms, and axe walks through each.
    test.setTimeout(300_000)
    const context = await browser.newContext({ baseURL, colorScheme })
    const page = await context.newPage()
    const seen = watch(page)
    await page.goto('/sign-in')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await look(page, '/sign-in', colorScheme)
    await signIn(page)
    for (const [path, heading] of Object.entries(rooms)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible()
      await page.waitForLoadState('networkidle')
      await look(page, path, colorScheme)
    }
    expect(seen).toEqual([])
    await context.close()
  })
}

test('at the width of a telephone no room is wider than the screen', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  test.setTimeout(180_000)
  await signIn(page)
  for (const path of Object.keys(rooms)) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width, path).toBeLessThanOrEqual(390)
  }
  await context.close()
})

const words = {
  es: { room: 'Integraciones', create: 'Nueva integración' },
  ru: { room: 'Интеграции', create: 'Новая интеграция' },
  pt: { room: 'Integrações', create: 'Nova integração' },
}

for (const [lang, { room, create }] of Object.entries(words)) {
  test(`a person whose language is ${lang} reads everything in it`, async ({ page }) => {
    await signIn(page)
    const changed = await page.evaluate(`(async () => {
      const session = await (await fetch('/web/session')).json()
      const answer = await fetch('/web/profile', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'x-csrf-token': session.csrf_token },
        body: JSON.stringify({ lang: '${lang}' }),
      })
      return answer.status
    })()`)
    expect(changed).toBe(200)
    await page.goto('/integrations')
    await expect(page.getByRole('heading', { name: room })).toBeVisible()
    await expect(page.getByRole('link', { name: create })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await page.evaluate(`(async () => {
      const session = await (await fetch('/web/session')).json()
      await fetch('/web/profile', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'x-csrf-token': session.csrf_token },
        body: JSON.stringify({ lang: 'en' }),
      })
    })()`)
  })
}
