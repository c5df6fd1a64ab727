import { expect, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { demo, signIn, watch } from './people.ts'
import type { apiOf } from './record-world.ts'

const INTEGRATION = 'Tokens of a spec'

test('a developer learns why a token died, and lets the next one die', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const tokens = await connected(page)
  for (const colorScheme of themesOf('tokens')) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/developers/tokens')
    await expect(page.getByRole('heading', { name: 'Tokens', exact: true })).toBeVisible()
    await page.getByLabel('Paste a token or a code').fill(tokens.refresh_token)
    await page.getByRole('button', { name: 'Explain' }).click()
    const answer = page.getByRole('alert')
    await expect(answer).toContainText('Refresh token: not accepted any more')
    await expect(answer).toContainText('Replaced: the next pair was issued at')
    await expect(page.getByLabel('Paste a token or a code')).toHaveValue('')
    await expect(page.getByLabel('Paste a token or a code')).toBeFocused()
    await checkPage(page, '/developers/tokens', colorScheme)
    await answer.getByRole('link', { name: `All tokens of this consent for ${INTEGRATION}` }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'Pair 0' })).toContainText('Replaced')
    await checkPage(page, '/developers/tokens/consent', colorScheme)
  }
  const newest = page.getByRole('listitem').filter({ hasText: 'Pair 1' })
  await expect(newest).toContainText('In use')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Lose the next answer' }).click()
  await expect(page.getByText('Waits for a refresh until')).toBeVisible()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Let the refresh token expire' }).click()
  await expect(newest).toContainText('because the test helpers changed its times')
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('All tokens of this consent have ended')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Test', exact: true })).toHaveCount(0)

  await newest.getByRole('link', { name: 'request' }).first().click()
  await expect(page).toHaveURL(/\/developers\/requests\?request_id=/)
  expect(seen).toEqual([])
})

test('an unknown token is explained by its form, also on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page)
  await page.goto('/developers/tokens')
  await page.getByLabel('Paste a token or a code').fill('pbr_cut')
  await page.getByLabel('Paste a token or a code').press('Enter')
  await expect(page.getByRole('alert')).toContainText('it was cut or changed')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})

/** The first tokens of an integration, which it has refreshed and used. */
async function connected(page: Parameters<typeof apiOf>[0]): Promise<{ refresh_token: string }> {
  const { csrf_token } = await (await page.request.get('/web/session')).json()
  const headers = { 'x-csrf-token': csrf_token, 'sec-fetch-site': 'same-origin' }
  const redirect_uri = 'http://localhost:3000/oauth'
  const data = { name: INTEGRATION, redirect_uri }
  const { keys, code } = await (await page.request.post('/web/integrations', { headers, data })).json()
  const ask = async (request: object) => {
    const answer = await page.request.post(`${demo.base_url}/oauth2/access_token`, {
      data: { ...keys, redirect_uri, ...request },
    })
    expect(answer.status()).toBe(200)
    return answer.json()
  }
  const tokens = await ask({ grant_type: 'authorization_code', code: code.code })
  const next = await ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
  const authorization = `Bearer ${next.access_token}`
  await page.request.get(`${demo.base_url}/api/v4/account`, { headers: { authorization } })
  return tokens
}
