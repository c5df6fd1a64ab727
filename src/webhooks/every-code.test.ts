import { parseIncomingWebhook } from '@shevernitskiy/amo'
import { expect, test } from 'vitest'
import { line } from '../../test/fixtures/conversations.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { mainPipeline } from '../../test/fixtures/pipelines.ts'
import { add } from '../../test/fixtures/records.ts'
import { type Case, recordCases } from '../../test/fixtures/webhook-cases.ts'
import { chatCases } from '../../test/fixtures/webhook-chat-cases.ts'
import type { Scene } from '../../test/fixtures/webhook-items.ts'
import { bodyOf, subscribed } from '../../test/fixtures/webhooks.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import { type WebhookCode, webhookCodeNames, webhookCodes } from './webhook-types.ts'

/** The action that announces each code, and the whole item. A code without one fails. */
const cases: Record<WebhookCode, Case> = { ...recordCases, ...chatCases }

async function setScene(here: World): Promise<Scene> {
  const { admin, stranger } = here
  const integration = await register(admin, { permissions: ['crm', 'chats'] })
  const api = stranger.as({ token: (await connect(stranger, integration)).access_token })
  const { id, _embedded } = await mainPipeline(here)
  const stages = _embedded.statuses.slice(0, 3).map((one) => String(one.id))
  const [catalog] = (await api.post('/api/v4/catalogs', [{ name: 'Parts' }])).body._embedded.catalogs
  const customer = await add(api, 'customers', { name: 'First', next_date: here.clock.now() + 3600 })
  const { amojo_id } = (await api.get(`/api/v4/users/${admin.id}?with=amojo_id`)).body
  const [source] = (await api.get('/api/v4/sources')).body._embedded.sources
  return {
    here,
    api,
    line: await line(here),
    ada: String(admin.id),
    adaInChats: amojo_id,
    eve: String((await here.addPerson({ name: 'Eve' })).id),
    pipeline: String(id),
    stages: stages as Scene['stages'],
    customerStage: String((await api.get(`/api/v4/customers/${customer}`)).body.status_id),
    catalog: catalog.id,
    source: String(source.id),
  }
}

const keys = [...new Set(webhookCodeNames.map((code) => webhookCodes[code].key))]

test.each(keys)('each code of %s announces the whole item in one request', async (key) => {
  const here = await world({ ownServer: true })
  const scene = await setScene(here)
  const { protocol } = new URL(here.ctx.config.public_url)
  const self = `${protocol}//${here.ctx.hosts.accountHost('demo')}`
  const account = { subdomain: 'demo', id: '1', _links: { self } }
  for (const code of webhookCodeNames.filter((one) => webhookCodes[one].key === key)) {
    here.clock.set(BEGINNING)
    const { act, item } = await cases[code](scene)
    const hook = await subscribed(here, [code])
    here.clock.advance(60)
    await act()
    const bodies = (await hook.arrived()).map(bodyOf)
    const { action } = webhookCodes[code]
    expect(bodies, code).toEqual([{ account, [key]: { [action]: [item()] } }])
    // The parser of a public client returns the key, the action and the first item.
    expect(parseIncomingWebhook(structuredClone(bodies[0])), code).toEqual([key, action, item()])
  }
})
