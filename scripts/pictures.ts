import { readFileSync } from 'node:fs'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { findBrowser } from './browser.ts'

/** Makes the documentation's pictures from a server that runs: `npm start`, then `npm run pictures`. */
const demo = JSON.parse(readFileSync(`${process.env.DATA_DIR ?? 'data'}/demo.json`, 'utf8'))
const { client_id } = demo.integration
const pictures: Record<string, string> = {
  consent: `/oauth?client_id=${client_id}&state=1`,
  integrations: '/integrations',
  window: `/integrations/built/${client_id}`,
}

async function signIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(demo.user.email)
  await page.getByLabel('Password', { exact: true }).fill(demo.user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/integrations$/)
  return page
}

const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: findBrowser(), args })
const context = await browser.newContext({ baseURL: demo.base_url, viewport: { width: 1280, height: 860 } })
const page = await signIn(context)
for (const [name, path] of Object.entries(pictures)) {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: `docs/images/${name}.png` })
}
await browser.close()
