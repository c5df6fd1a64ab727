import { expect, type Page, test } from '@playwright/test'
import { checkPage, settle, themesOf } from './check-page.ts'
import { navigate } from './navigate.ts'
import { ask } from './own-api.ts'
import { demo, signIn, watch } from './people.ts'

// The tests are independent, so that workers can share them.
test.describe.configure({ mode: 'parallel' })

const WIDE = { width: 1280, height: 720 }
const TELEPHONE = { width: 390, height: 844 }
test.use({ viewport: WIDE })

const { client_id } = demo.integration
const channel = `/settings/channels/${demo.channel?.id}`
/** All pages in groups of similar length, with the heading of each. */
const walks: Record<string, Record<string, string>> = {
  'records and work': {
    '/': 'My leads',
    '/leads': 'Leads',
    '/leads?shape=list': 'Leads',
    '/contacts': 'Contacts',
    '/companies': 'Companies',
    '/customers': 'Customers',
    '/lists': 'Lists',
    '/tasks': 'Tasks',
    '/events': 'Events',
    '/inbox': 'Inbox',
    '/no/such/page': 'Page not found',
  },
  integrations: {
    '/integrations': 'Integrations',
    '/integrations/built': 'Integrations',
    '/integrations/new': 'New integration',
    [`/integrations/installed/${client_id}`]: 'Demo integration',
    [`/integrations/installed/${client_id}/activity`]: 'Demo integration',
    [`/integrations/built/${client_id}`]: 'Demo integration',
    [`/integrations/built/${client_id}/activity`]: 'Demo integration',
    [`/integrations/built/${client_id}/keys`]: 'Demo integration',
    [`/integrations/built/${client_id}/widget`]: 'Demo integration',
    [`/integrations/built/${client_id}/log`]: 'Demo integration',
    [`/oauth?client_id=${client_id}&state=1`]: 'Allow Demo integration to access your account?',
    '/import': 'Imports and bulk changes',
    '/settings/retention': 'Data retention',
    '/settings/files': 'Files',
    '/settings/audit': 'Audit log',
  },
  developers: {
    '/developers/requests': 'Requests',
    '/developers/tokens': 'Tokens',
    '/developers/deliveries': 'Deliveries',
    '/developers/traces/019ca945-0a00-7bee-9734-8c2b740c58e6': 'Trace',
    '/developers/signatures': 'Signatures',
  },
  channels: {
    '/settings/channels': 'Channels',
    '/settings/channels/new': 'New channel',
    [channel]: 'Demo channel',
    [`${channel}/keys`]: 'Demo channel',
    [`${channel}/connections`]: 'Demo channel',
    [`${channel}/health`]: 'Demo channel',
    [`${channel}/telephone`]: 'Demo channel',
    [`${channel}/log`]: 'Demo channel',
    '/settings/bot': 'Reply bot',
    '/settings/templates': 'Message templates',
    '/settings/forms': 'Forms',
    '/settings/webhooks': 'Webhooks',
    '/settings/webhooks/new': 'New webhook',
  },
  settings: {
    '/settings/pipelines': 'Pipelines',
    '/settings/pipelines/1': 'Sales',
    '/settings/fields': 'Fields',
    '/settings/lists': 'Lists',
    '/settings/audiences': 'Audiences, surveys, links',
    '/settings/profile': 'My profile',
    '/settings/account': 'Account',
    '/settings/people': 'People',
    '/settings/people/new': 'Add person',
    '/settings/roles': 'Roles',
    '/settings/groups': 'Groups',
  },
}

/** Checks the open page in its themes, and that it fits a phone. */
async function checkLooks(page: Page, path: string): Promise<void> {
  for (const colorScheme of themesOf(path)) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    await checkPage(page, path, colorScheme)
  }
  await page.setViewportSize(TELEPHONE)
  await settle(page)
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width, path).toBeLessThanOrEqual(TELEPHONE.width)
  await expectOneScrollBar(page, path)
  await page.setViewportSize(WIDE)
}

/** In the frame of the application, pages scroll beside the navigation, and the window does not. */
async function expectOneScrollBar(page: Page, path: string): Promise<void> {
  if ((await page.locator('#main').count()) === 0) return
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  expect(height, path).toBeLessThanOrEqual(TELEPHONE.height)
}

const looks =
  'in both themes and narrow: no grave finding of axe, nothing on the console, nothing against the policy'

test(`signing in ${looks}`, async ({ page }) => {
  const seen = watch(page)
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await checkLooks(page, '/sign-in')
  expect(seen).toEqual([])
})

for (const [name, pages] of Object.entries(walks)) {
  test(`every page of ${name} ${looks}`, async ({ page }) => {
    // Axe checks each page twice.
    test.setTimeout(180_000)
    const seen = watch(page)
    await signIn(page)
    await page.goto('/')
    for (const [path, heading] of Object.entries(pages)) {
      await navigate(page, path)
      await expect(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible()
      await checkLooks(page, path)
    }
    expect(seen).toEqual([])
  })
}

const words = {
  es: { heading: 'Integraciones', create: 'Nueva integración' },
  ru: { heading: 'Интеграции', create: 'Новая интеграция' },
  pt: { heading: 'Integrações', create: 'Nova integração' },
}

test('a person who changes their language sees pages in it', async ({ page }) => {
  await signIn(page)
  for (const [lang, { heading, create }] of Object.entries(words)) {
    await ask(page, 'PATCH', '/web/profile', { lang })
    await page.goto('/integrations')
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByRole('link', { name: create })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
  }
  await ask(page, 'PATCH', '/web/profile', { lang: 'en' })
})
