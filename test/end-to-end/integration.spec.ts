import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort } from '../../src/commands/ports.ts'
import { register, signIn, watch } from './people.ts'

/**
 * The main use case: the example integration, configured only with addresses, goes through consent in a real
 * browser, exchanges the code, calls the account, refreshes, and loses its access.
 */
test('an integration gets tokens by consent, works, and loses access when an administrator disables it', async ({
  page,
  baseURL,
}) => {
  const seen = watch(page)
  const port = await freePort()
  const site = `http://localhost:${port}`
  await signIn(page)

  const redirect_uri = `${site}/oauth/callback`
  const { client_id, client_secret } = await register(page, {
    name: 'Bookkeeping',
    redirect_uri,
    hook: `${site}/disabled`,
  })

  const example = await startExample({
    PATCHBAY_URL: String(baseURL),
    CLIENT_ID: client_id,
    CLIENT_SECRET: client_secret,
    REDIRECT_URI: `${site}/oauth/callback`,
  })
  try {
    await page.goto(site)
    await expect(
      page.getByRole('heading', { name: 'Allow Bookkeeping to access your account?' }),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page).toHaveURL(
      new RegExp(
        `^${site}/oauth/callback\\?code=pbc_.*&referer=demo\\.localhost.*&client_id=${client_id}&state=`,
      ),
    )
    await expect(page.locator('body')).toContainText('"subdomain": "demo"')

    await page.goto(`${site}/renew`)
    await expect(page.locator('body')).toContainText('"subdomain": "demo"')

    await page.goto(`/integrations/installed/${client_id}`)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await expect(page.getByText('This integration is disabled', { exact: true })).toBeVisible()

    // The integration verifies the hook's signature and deletes its tokens.
    await expect.poll(example.output).toContain('switched off in account')
    const answer = await page.goto(`${site}/account`)
    expect(answer?.status()).toBe(401)
  } finally {
    example.stop()
  }
  expect(seen).toEqual([])
})

test('Decline redirects with error=access_denied', async ({ page, baseURL }) => {
  const port = await freePort()
  const site = `http://localhost:${port}`
  await signIn(page)
  const { client_id } = await register(page, { name: 'Declined', redirect_uri: `${site}/oauth/callback` })
  const example = await startExample({
    PATCHBAY_URL: String(baseURL),
    CLIENT_ID: client_id,
    CLIENT_SECRET: 'x',
    REDIRECT_URI: `${site}/oauth/callback`,
  })
  try {
    await page.goto(site)
    await page.getByRole('button', { name: 'Decline' }).click()
    await expect(page).toHaveURL(
      new RegExp(`^${site}/oauth/callback\\?error=access_denied&client_id=${client_id}&state=[\\w-]+$`),
    )
  } finally {
    example.stop()
  }
})

async function startExample(
  env: Record<string, string>,
): Promise<{ output: () => string; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-example-'))
  const child: ChildProcess = spawn(process.execPath, ['examples/integration/main.ts'], {
    env: {
      PATH: process.env.PATH,
      DEMO_FILE: join(process.env.E2E_DATA_DIR ?? '', 'demo.json'),
      TOKEN_FILE: join(folder, 'tokens.json'),
      ...env,
    },
  })
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  child.stderr?.on('data', (chunk) => {
    text += chunk
  })
  await expect.poll(() => text).toContain('The integration is ready')
  const stop = () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { output: () => text, stop }
}
