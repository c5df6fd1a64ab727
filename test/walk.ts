import { expect } from 'vitest'
import { completeRights } from '../src/accounts/members/rights.ts'
import type { Client, Identity } from './client.ts'
import { exchange, freshCode, register } from './fixtures/integrations.ts'
import { sendExamples } from './openapi/example-requests.ts'
import { recording } from './openapi/examples.ts'
import type { World } from './world.ts'

/** Sends every request of the API as an integration does, and opens the pages of the application. Expects success. */
export async function walkRequests(here: World): Promise<void> {
  const { admin, app } = here
  const integration = await register(admin, { permissions: ['crm', 'files', 'files_delete'] })
  const identity: Identity = { host: admin.browser.identity.host }
  const { v4, refused } = await recording(app.http, identity)
  identity.token = (await exchange(v4, integration, await freshCode(admin, integration))).body.access_token
  await sendExamples(here, v4)
  expect(refused).toEqual([])
  await readPages(here)
}

/** Pages and lists of the application: for an administrator, and for someone who sees only their own records. */
async function readPages({ app, admin, addPerson }: World): Promise<void> {
  const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'D' } as const
  const rights = completeRights({ leads: own, contacts: own, companies: own, catalog_access: true })
  const { browser } = await addPerson({ rights })
  const read = async (client: Client, url: string) => expect((await client.get(url)).status).toBeLessThan(500)
  for (const { method, url } of app.http.servedRoutes) {
    if (method !== 'GET' || !url.startsWith('/web/')) continue
    await read(admin.browser, url.replace(/:\w+/g, '1'))
    if (!url.includes(':')) await read(browser, url)
  }
}
