import { expect, test } from '@playwright/test'
import { followsLive } from './live.ts'
import { demo, watch } from './people.ts'
import { addRecord, administrator } from './record-world.ts'

test('a call that rings is shown with the name of the caller', async ({ page }) => {
  const seen = watch(page)
  const api = await administrator(page)
  const name = `Bob ${Date.now().toString(36)}`
  const phone = `+44 113 ${String(Date.now()).slice(-7)}`
  const values = [{ field_code: 'PHONE', values: [{ value: phone }] }]
  const id = await addRecord(api, 'contacts', { name, custom_fields_values: values })
  const stream = followsLive(page)
  await page.goto('/tasks')
  await stream
  const headers = { authorization: `Bearer ${demo.tokens.access_token}` }
  const data = { add: [{ type: 'phone_call', phone_number: phone }] }
  const sent = await page.request.post(`${demo.base_url}/api/v2/events/`, { headers, data })
  expect(sent.status()).toBe(200)
  const notice = page.getByRole('alert').filter({ hasText: 'Incoming call' })
  await expect(notice).toContainText(phone)
  await notice.getByRole('link', { name }).click()
  await expect(page).toHaveURL(new RegExp(`/contacts/${id}$`))
  expect(seen).toEqual([])
})
