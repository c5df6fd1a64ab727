import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import type { Demo } from '../../../src/commands/demo/demo.ts'
import { openWebSession, type WebSession } from '../../fixtures/web-session.ts'

/** The data that `patchbay dev` wrote down for scripts. */
export const demo: Demo = JSON.parse(readFileSync(process.env.DEMO_FILE as string, 'utf8'))

/** The bare host that the client gets, as in its author's examples. */
export const host = process.env.CLIENT_HOST as string

/** One part of what a client is sent to do. It is said when it is done, so that a part that never ran is missed. */
export async function part(subject: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    tell(subject, error)
    process.exit(1)
  }
  process.stdout.write(`${subject}\n`)
}

/** Prints an error of a client. It holds the connection and all; one looks for the place and the body that came. */
export function tell(subject: string, error: unknown): void {
  const { stack, data, response } = error as {
    stack: string
    data?: unknown
    response?: { data?: unknown }
  }
  const body = inspect(data ?? response?.data ?? response ?? '', { depth: 6 })
  process.stderr.write(`${subject}: ${stack}\n${body}\n`)
}

/** The administrator, in the application. */
export const openAdmin = (): Promise<WebSession> => openWebSession(`https://${host}`, demo.user)

/** A code, as the administrator copies it from the integration's page. */
export async function freshCode(): Promise<string> {
  const admin = await openAdmin()
  const { client_id } = demo.integration
  return (await admin('POST', '/web/installations', { client_id })).body.code
}

/** Describes the widget of the demo integration, as its developer does. Returns its code. */
export async function describeWidget(): Promise<string> {
  const admin = await openAdmin()
  const setting = (key: string, type: string) => ({ key, name: key, type, is_required: true })
  const manifest = {
    code: 'demo_pbx',
    version: '1.0.0',
    settings_template: [setting('login', 'text'), setting('password', 'pass')],
  }
  const { body } = await admin('PUT', `/web/integrations/${demo.integration.client_id}/widget`, manifest)
  return body.widget.code
}

/** A request with the token of the demo account, for what a client has no method for. */
export async function ask(method: string, path: string, body?: object): Promise<Response> {
  const headers = {
    authorization: `Bearer ${demo.tokens.access_token}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  return await fetch(`https://${host}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
}
