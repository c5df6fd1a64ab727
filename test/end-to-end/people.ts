import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { Demo } from '../../src/commands/demo/demo.ts'

/** The contents of demo.json, which `patchbay dev` writes for scripts. */
export const demo: Demo = JSON.parse(
  readFileSync(join(process.env.E2E_DATA_DIR ?? 'data', 'demo.json'), 'utf8'),
)

/** The session that the tests of a worker share: signing in takes as long as a short test. */
let shared: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>> = []

/** Signs the demo's administrator in. */
export async function signIn(page: Page): Promise<void> {
  const { email, password } = demo.user
  await page.context().addCookies(shared)
  const session = await (await page.request.get('/web/session')).json()
  if (session.csrf_token === null) {
    await bringIn(page, email, password)
    shared = await page.context().cookies()
  }
}

/** Signs somebody in by the form, as a person does. */
export async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/^https?:\/\/[^/]+\/$/)
}

/** Gives a browser, or a client without one, a person's session without the sign-in pages. */
export async function bringIn(
  { request }: { request: APIRequestContext },
  email: string,
  password: string,
): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  // The server can end a kept connection in the moment in which the request is sent.
  const answer = await request.post('/web/session', { headers, data: { email, password }, maxRetries: 2 })
  expect(answer.ok()).toBe(true)
}

/** Collects console errors and violations of the Content-Security-Policy. */
export function watch(page: Page): string[] {
  const seen: string[] = []
  page.on('pageerror', (error) => seen.push(String(error)))
  page.on('console', (message) => {
    // The console also logs errors that a page handles.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) seen.push(message.text())
  })
  return seen
}

export interface Registered {
  client_id: string
  client_secret: string
}

/** Creates an integration through the form and copies its keys. */
export async function register(
  page: Page,
  { name, redirect_uri, hook = '' }: { name: string; redirect_uri: string; hook?: string },
): Promise<Registered> {
  await page.goto('/integrations/new')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Redirect URI' }).fill(redirect_uri)
  await page.getByRole('textbox', { name: 'Disable hook URL' }).fill(hook)
  await page.getByRole('button', { name: 'Save and get the keys' }).click()
  await expect(page.getByRole('heading', { name: `${name} is saved` })).toBeVisible()
  const [client_id = '', client_secret = ''] = await page
    .getByRole('region', { name: 'Keys' })
    .getByRole('code')
    .allTextContents()
  return { client_id, client_secret }
}
