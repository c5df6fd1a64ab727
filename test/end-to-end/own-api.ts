import { expect, type Page } from '@playwright/test'

/** Sends a request with the session of a page; an error fails the test. */
export async function ask<Answer>(page: Page, method: string, path: string, body?: unknown): Promise<Answer> {
  const asked = JSON.stringify({ method, path, body })
  const { status, text } = await page.evaluate<{
    status: number
    text: string
  }>(`(async ({ method, path, body }) => {
    const session = await (await fetch('/web/session')).json()
    const answer = await fetch(path, {
      method,
      headers: {
        'x-csrf-token': session.csrf_token ?? '',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  })(${asked})`)
  expect(status, `${method} ${path}: ${text}`).toBeLessThan(300)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}
