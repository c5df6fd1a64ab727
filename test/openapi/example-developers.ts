import type { Client } from '../client.ts'
import { CHATS, channelOf, signed } from '../fixtures/chats.ts'
import { exchange, freshCode, register } from '../fixtures/integrations.ts'
import type { World } from '../world.ts'

/** The widget of an integration, and the end of one of its authorizations. */
export async function sendIntegration({ admin, clock }: World, v4: Client): Promise<void> {
  // Lists have one order, because the next rows are newer.
  clock.advance(1)
  const integration = await register(admin, { name: 'Telephone exchange', permissions: ['crm'] })
  const key = (name: string, type: string) => ({ key: name, name, type, is_required: false })
  const manifest = {
    code: 'exchange',
    version: '1.0.0',
    settings_template: [key('login', 'text'), key('password', 'pass')],
  }
  await admin.browser.put(`/web/integrations/${integration.client_id}/widget`, manifest)
  await v4.post('/api/v4/widgets/exchange', { login: 'novak', password: 'a secret of the exchange' })
  for (const path of ['widgets', 'widgets/exchange']) await v4.get(`/api/v4/${path}`)
  const token = (await exchange(v4, integration, await freshCode(admin, integration))).body.refresh_token
  const { client_id, client_secret } = integration
  await v4.get('/oauth2/account/current/subdomain', { authorization: undefined, 'x-refresh-token': token })
  await v4.post('/oauth2/revoke', { client_id, client_secret, token }, { authorization: undefined })
}

/** The requests of a developer to the test helpers. */
export async function sendTestHelpers(world: World, v4: Client): Promise<void> {
  const headers = { authorization: `Bearer ${world.ctx.testHelpersKey}` }
  const at = '/test_helpers'
  world.clock.advance(1)
  await v4.get(`${at}/triggers`, headers)
  await v4.post('/api/v4/webhooks', { destination: 'https://hook.example/in', settings: ['add_lead'] })
  const { body: triggered } = await v4.post(`${at}/trigger`, { type: 'add_lead' }, headers)
  await v4.get(`${at}/traces/${triggered.requests[0].request_id}`, headers)
  for (const path of ['requests?limit=2', 'requests/wait?path=/api/v4/leads'])
    await v4.get(`${at}/${path}`, headers)
  await v4.get(`${at}/listen`, headers)
  const { body: log } = await v4.get(`${at}/requests?method=POST&direction=in&path=/api/v4/leads`, headers)
  const one = `${at}/requests/${log.requests[0].id}`
  await v4.get(one, headers)
  await v4.post(`${one}/send`, {}, headers)
  const { body: deliveries } = await v4.get(`${at}/deliveries`, headers)
  await v4.get(`${at}/deliveries/${deliveries.deliveries[0].id}`, headers)
  const { secret } = await channelOf(world, { protocol: 'live' })
  const body = JSON.stringify({ event_type: 'new_message' })
  const request = { url: `${CHATS}/a_b`, headers: signed(secret, body), body }
  await v4.post(`${at}/signatures/check`, request, headers)
}
