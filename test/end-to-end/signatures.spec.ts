import { createHmac } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { checkPage, themesOf } from './check-page.ts'
import { demo, signIn, watch } from './people.ts'

const { secret = '', scope_id = '' } = demo.channel_live ?? {}
const sign = (key: string, text: string) => createHmac('sha1', key).update(text).digest('hex')
const path = `/v2/origin/custom/${scope_id}`
const body = '{"event_type":"new_message","payload":{"text":"a/b"}}'

test('a pasted request shows its mistake, the first different byte and how to sign', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  await page.goto('/developers/signatures')
  await page.getByRole('textbox', { name: 'Path' }).fill(path)
  await page
    .getByRole('textbox', { name: 'Headers' })
    .fill(`X-Signature: ${sign(secret, body.replace('/', '\\/'))}`)
  await page.getByRole('textbox', { name: 'Body' }).fill(body)
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText('The signature is wrong')).toBeVisible()
  await expect(page.getByText(/^Slashes are escaped/)).toBeVisible()
  await expect(
    page.getByRole('heading', { name: `The first different byte is ${body.indexOf('/')}` }),
  ).toBeVisible()
  await page.getByText('PHP', { exact: true }).click()
  await expect(page.getByText("hash_hmac('sha1'")).toBeVisible()
  for (const colorScheme of themesOf('signatures')) {
    await page.emulateMedia({ colorScheme })
    await checkPage(page, '/developers/signatures', colorScheme)
  }
  await page.getByRole('textbox', { name: 'Headers' }).fill(`X-Signature: ${sign(secret, body)}`)
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText('The signature is right')).toBeVisible()
  expect(seen).toEqual([])
})

test('a refused request of the log is checked by its number', async ({ page }) => {
  await signIn(page)
  const headers = { 'x-signature': sign(`${secret}\n`, body), 'content-type': 'application/json' }
  expect((await page.request.post(path, { headers, data: body })).status()).toBe(403)
  const { requests } = await (await page.request.get('/web/requests?refused=true&limit=1')).json()
  await page.goto(`/developers/signatures?request=${requests[0].id}`)
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText('The secret has white space at its beginning or its end.')).toBeVisible()
})
