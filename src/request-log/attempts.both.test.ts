import { describe, expect, test } from 'vitest'
import { connected } from '../../test/fixtures/chats.ts'
import { textOf } from '../../test/fixtures/conversations.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { lastExchange, logged } from '../../test/fixtures/request-log.ts'
import { receiver } from '../../test/programs/receiver.ts'
import { type World, world } from '../../test/world.ts'
import { freePort } from '../commands/ports.ts'

/** Subscribes an address to new leads, and adds a lead. */
async function announced(here: World, destination: string) {
  const webhook = await here.admin.browser.post('/web/v4/webhooks', { destination, settings: ['add_lead'] })
  expect(webhook.status).toBe(201)
  const answer = await here.admin.browser.post('/web/v4/leads', [{ name: 'A' }])
  await here.app.deliveries.runDue()
  return answer
}

describe('An attempt of the server is recorded', () => {
  test('for a webhook, with the id of the request that caused it', async () => {
    const here = await world()
    const there = await receiver()
    const cause = await announced(here, `${there.url}/hook?token=${'s3cr3t'.repeat(5)}`)
    const shown = await lastExchange(here, 'direction=out')
    expect(shown).toMatchObject({
      direction: 'out',
      method: 'POST',
      host: new URL(there.url).host,
      path: '/hook',
      query: 'token=[token ...cr3t]',
      operation: 'webhook',
      request_id: cause.headers['x-request-id'],
      status: 200,
      why: null,
    })
    expect(shown.request.body).toContain('leads%5Badd%5D%5B0%5D%5Bid%5D')
    expect(shown.request.headers).toMatchObject({
      'user-agent': 'amoCRM-Webhooks/3.0',
      'webhook-attempt': '1',
    })
  })

  test('for a callback of a chat channel, without its signature', async () => {
    const here = await world()
    const there = await receiver()
    const line = await connected(here, { callback_url: `${there.url}/callback` })
    await line.push(textOf(here, 'Bob'))
    const { body } = await here.admin.browser.get('/web/v4/chats')
    const [chat] = body._embedded.chats
    await here.admin.browser.post(`/web/v4/chats/${chat.id}/messages`, { text: 'Good morning' })
    await here.app.deliveries.runDue()
    const shown = await lastExchange(here, 'direction=out')
    expect(shown).toMatchObject({ operation: 'chat_message', path: '/callback', status: 200 })
    expect(shown.request.body).toContain('Good morning')
    expect(shown.request.headers['x-signature']).toMatch(/^\[x-signature \.\.\..{4}\]$/)
  })

  test('for the disable hook, and for the check of a redirect URI, with their integration', async () => {
    const here = await world()
    const there = await receiver()
    const integration = await register(here.admin, {
      redirect_uri: `${there.url}/oauth`,
      disable_hook_url: `${there.url}/disabled`,
    })
    await connect(here.stranger, integration)
    await here.admin.browser.post(`/web/integrations/${integration.client_id}/check`)
    await here.admin.browser.post(`/web/installations/${integration.client_id}/disable`)
    await here.app.deliveries.runDue()
    const [hook, check] = await logged(here, 'direction=out')
    const { client_id: integration_id } = integration
    expect(check).toMatchObject({
      operation: 'redirect_check',
      method: 'HEAD',
      path: '/oauth',
      integration_id,
    })
    expect(hook).toMatchObject({
      operation: 'disable_hook',
      method: 'GET',
      path: '/disabled',
      integration_id,
    })
    expect(hook?.query).toMatch(/signature=\[signature \.\.\..{4}\]$/)
  })

  test('with the reason if there was no answer', async () => {
    const here = await world()
    await announced(here, `http://127.0.0.1:${await freePort()}/hook`)
    const [last] = await logged(here, 'direction=out')
    expect(last).toMatchObject({ status: null, error: expect.stringMatching(/^connect: /) })
  })
})
