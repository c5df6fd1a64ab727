import { type APIRequestContext, expect } from '@playwright/test'

/** Sends a request with the session of a page or a client; an error fails the test. */
export async function ask<Answer>(
  page: { request: APIRequestContext },
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const { csrf_token } = await (await page.request.get('/web/session', { maxRetries: 2 })).json()
  const headers = { 'x-csrf-token': csrf_token ?? '', 'sec-fetch-site': 'same-origin' }
  const answer = await page.request.fetch(path, {
    method,
    headers,
    ...(body !== undefined && { data: body }),
  })
  const [status, text] = [answer.status(), await answer.text()]
  expect(status, `${method} ${path}: ${text}`).toBeLessThan(300)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}
