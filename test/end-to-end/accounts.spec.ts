import { execFileSync } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { bringIn, demo, watch } from './people.ts'

const password = 'blue otter sings 9'

/** An administrator of the demo account and of another one, which is named Acme. Returns their e-mail. */
function addPersonOfTwo(): string {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR, PUBLIC_URL: demo.base_url }
  const program = ['--import', './test/programs/cheap-hashes.ts', 'dist/server/main.js']
  const run = (...words: string[]) => execFileSync('node', [...program, ...words], { env, input: password })
  const mark = Date.now().toString(36)
  const person = ['--email', `${mark}@example.com`, '--name', 'Uma', '--admin', '--password-stdin']
  run('account', 'create', '--subdomain', `acme${mark}`, '--name', 'Acme')
  for (const account of [demo.account.subdomain, `acme${mark}`])
    run('user', 'create', '--account', account, ...person)
  return `${mark}@example.com`
}

test('a window shows nothing of an account that another window has chosen', async ({ page }) => {
  await bringIn(page, addPersonOfTwo(), password)
  const seen = watch(page)
  await page.goto('/contacts')
  const own = page.getByRole('button', { name: 'Switch account' })
  if ((await own.textContent())?.includes('Acme')) {
    await own.click()
    await page.getByRole('menuitem', { name: 'demo' }).click()
    await page.goto('/contacts')
  }
  const rows = page.getByRole('main').getByRole('row')
  await expect(rows.nth(1)).toBeVisible()

  const other = await page.context().newPage()
  await other.goto('/')
  await other.getByRole('button', { name: 'Switch account' }).click()
  await other.getByRole('menuitem', { name: 'Acme' }).click()
  await expect(other.getByRole('button', { name: 'Switch account' })).toContainText('Acme')

  await page.getByRole('link', { name: 'Companies', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Another account is open in another tab' })
  await expect(dialog).toContainText("This page can't load or save anything")
  await expect(page.getByText('No companies yet')).toBeHidden()
  await dialog.getByRole('button', { name: /^Switch back/ }).click()
  await expect(dialog).toBeHidden()
  await expect(rows.nth(1)).toBeVisible()
  expect(seen).toEqual([])
})
