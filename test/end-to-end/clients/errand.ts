import { readFileSync } from 'node:fs'
import type { Demo } from '../../../src/commands/demo.ts'

/** What `patchbay dev` wrote down for scripts. */
export const demo: Demo = JSON.parse(readFileSync(process.env.DEMO_FILE as string, 'utf8'))

/** The bare host that the client is told, as its author's examples tell it. */
export const host = process.env.CLIENT_HOST as string

/** One part of what a client is sent to do. It is said when it is done, so that a part that never ran is missed. */
export async function part(subject: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // A client's error holds the connection and all; the place and the body that came are what one looks for.
    const { stack, data, response } = error as { stack: string; data?: unknown; response?: unknown }
    process.stderr.write(`${subject}: ${stack}\n${JSON.stringify(data ?? response ?? '')}\n`)
    process.exit(1)
  }
  process.stdout.write(`${subject}\n`)
}

/** A code, as the administrator copies it from the integration's page. */
export async function freshCode(): Promise<string> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    fetch(`https://${host}${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/web/session', demo.user)
  const { csrf_token } = (await signedIn.json()) as { csrf_token: string }
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const { client_id } = demo.integration
  const answer = await post('/web/installations', { client_id }, { cookie, 'x-csrf-token': csrf_token })
  return ((await answer.json()) as { code: string }).code
}
