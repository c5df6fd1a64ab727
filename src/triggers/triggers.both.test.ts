import { expect } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { line } from '../../test/fixtures/conversations.ts'
import { register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { helper, logged } from '../../test/fixtures/request-log.ts'
import { triggerScene } from '../../test/fixtures/triggers.ts'
import { world } from '../../test/world.ts'
import type { TriggerList } from './schemas.ts'

onEmbedded('an action has the rights of its person, and everything follows from real requests', async () => {
  const { here, integration, trigger } = await triggerScene()
  const { browser } = here.admin
  const lead = await add(browser, 'leads', { name: 'Roof', price: 100 })
  const { status, body } = await trigger('sale_field_changed', {
    set: { lead: String(lead), price: '250' },
  })
  expect(status).toBe(200)
  expect((await browser.get(`/web/v4/leads/${lead}`)).body.price).toBe(250)
  const [event] = (await browser.get('/web/v4/events?filter[type]=sale_field_changed')).body._embedded.events
  expect(event).toMatchObject({
    id: body.events[0].id,
    entity_id: lead,
    created_by: here.admin.id,
    value_before: [{ sale_field_value: { sale: 100 } }],
    value_after: [{ sale_field_value: { sale: 250 } }],
  })
  expect(body).toMatchObject({ type: 'sale_field_changed', made: {}, deliveries: [] })
  const requests = await logged(here, `integration=${integration.client_id}`)
  expect(requests.map(({ method, path, request_id }) => [method, path, request_id])).toEqual(
    body.requests.toReversed().map((one: Record<string, unknown>) => [one.method, one.path, one.request_id]),
  )
  // A person without rights triggers nothing.
  const eve = await here.addPerson({ name: 'Eve' })
  const refused = await trigger('lead_added', { user: eve.email })
  expect([refused.status, refused.body.type, refused.body.detail]).toEqual([
    422,
    expect.stringMatching(/#trigger_refused$/),
    expect.stringMatching(/^POST \/api\/v4\/leads was refused with 403: /),
  ])
  expect(refused.body.requests).toEqual([expect.objectContaining({ path: '/api/v4/leads', status: 403 })])
})

onEmbedded('a reaction needs nothing: it gets a channel that is connected with v2', async () => {
  const { here, triggered } = await triggerScene()
  await line(here)
  const first = await triggered('chat_reaction')
  expect(first.deliveries).toEqual([expect.objectContaining({ kind: 'chat_action' })])
  expect(first.made.channel).toMatch(/^[\da-f-]{36}$/)
  // The next one finds it.
  const { made, deliveries } = await triggered('chat_reaction')
  expect([made.channel, deliveries.length]).toEqual([undefined, 1])
})

onEmbedded('an action uses what is named: a channel, a conversation, a person, an integration', async () => {
  const { here, triggered, trigger } = await triggerScene()
  const open = await line(here)
  const eve = await here.addPerson({ name: 'Eve', is_admin: true })
  const chat = await open.write('sue', 'Hello')
  const answered = await triggered('chat_callback', { chat, answer: 'Good morning.' })
  expect(answered.deliveries).toEqual([expect.objectContaining({ kind: 'chat_message' })])
  await here.app.deliveries.runDue()
  expect(JSON.parse(open.there.received.at(-1)?.body ?? '')).toMatchObject({ text: 'Good morning.' })
  const connection = { account_id: here.account.amojo_id, hook_api_version: 'v2' }
  await open.call('POST', `/${open.channel.id}/connect`, connection)
  const reacted = await triggered('chat_reaction', { chat, emoji: '🔥' })
  expect(reacted.deliveries).toEqual([expect.objectContaining({ kind: 'chat_action' })])
  await here.app.deliveries.runDue()
  expect(JSON.parse(open.there.received.at(-1)?.body ?? '')).toMatchObject({
    action: { reaction: { emoji: '🔥' } },
  })
  const named = { channel: open.channel.id, conversation: 'c-sue', text: 'And now?' }
  expect((await triggered('incoming_chat_message', named)).made.chat).toBe(chat)
  const moved = await trigger('responsible_contact', { set: { user: eve.id }, user: String(eve.id) })
  const contact = await here.admin.browser.get(`/web/v4/contacts/${moved.body.made.contact}`)
  expect(contact.body).toMatchObject({ created_by: eve.id })
  const lead = await add(here.admin.browser, 'leads', { name: 'Roof', price: 100 })
  await triggered('sale_field_changed', { lead, price: 0 })
  expect((await here.admin.browser.get(`/web/v4/leads/${lead}`)).body.price).toBe(0)
  const second = await register(here.admin, { name: 'Second', disable_hook_url: `${open.there.url}/gone` })
  const hook = await triggered('disable_hook', { integration: second.client_id })
  expect(hook.made).toEqual({})
  await here.app.deliveries.runDue()
  expect(open.there.received.at(-1)?.query.client_uuid).toBe(second.client_id)
})

onEmbedded('errors say what is wrong, and nothing happens', async () => {
  const { here, integration, trigger } = await triggerScene()
  const other = await register(here.admin, { name: 'Narrow', permissions: ['crm'] })
  const lead = await add(here.admin.browser, 'leads', { name: 'Roof', price: 100 })
  const long = 'x'.repeat(10_001)
  const refused: [body: object, status: number, message: RegExp][] = [
    [{ type: 'lead_moved' }, 400, /There is no type "lead_moved"\. All of them are in `types`\./],
    [{ type: 'responsible' }, 400, /Similar ones: entity_responsible_changed, responsible_lead/],
    [{ type: 'add_lead', set: { prices: 5 } }, 400, /no such member\. It has: name, price\./],
    [{ type: 'add_lead', set: { __proto__: null, constructor: 'x' } }, 400, /no such member/],
    [{ type: 'add_lead', set: { price: 'much' } }, 400, /should be a number, not "much"/],
    [{ type: 'sale_field_changed', set: { price: 'much' } }, 400, /should be a number, not "much"/],
    [{ type: 'update_lead', set: { lead: 'first' } }, 400, /should be the id of an entity, not "first"/],
    [{ type: 'update_lead', set: { lead: 0 } }, 400, /should be the id of an entity/],
    [{ type: 'add_lead', set: { name: long } }, 400, /set/],
    [{ type: 'add_lead', set: Object.fromEntries(Array.from({ length: 31 }, (_, i) => [i, 1])) }, 400, /set/],
    [{}, 400, /type/],
    [{ type: 'update_lead', set: { lead: 999_999_999 } }, 422, /was refused with 404/],
    [{ type: 'sale_field_changed', set: { lead, price: 100 } }, 422, /they caused no sale_field_changed/],
    [{ type: 'update_lead', set: { lead, name: 'Roof' } }, 422, /they caused no update_lead/],
    [{ type: 'add_message', integration: other.client_id }, 403, /"Narrow" lacks the permission "chats"/],
    [{ type: 'add_lead', integration: 'x' }, 404, /No integration with this id is installed/],
    [{ type: 'add_lead', user: 'nobody@example.com' }, 404, /id or e-mail "nobody@example.com"/],
    [{ type: 'add_message', set: { channel: 'x' } }, 404, /No channel with this id is connected/],
    [
      { type: 'disable_hook', set: { integration: other.client_id } },
      409,
      /The integration "Narrow" has no disable hook/,
    ],
  ]
  for (const [{ type, ...body }, status, message] of refused as [{ type: string }, number, RegExp][]) {
    const answer = await trigger(type, body)
    expect([type, body, answer.status, answer.text.replaceAll('\\"', '"')]).toEqual([
      type,
      body,
      status,
      expect.stringMatching(message),
    ])
  }
  const leads = (await here.admin.browser.get('/web/v4/leads')).body._embedded.leads
  expect(leads.map(({ id }: { id: number }) => id)).toEqual([lead])
  for (const { client_id } of [integration, other])
    await here.admin.browser.post(`/web/installations/${client_id}/disable`)
  expect((await trigger('add_lead')).status).toBe(409)
})

onEmbedded('an action of a record that does not exist is refused, whichever the action is', async () => {
  const { here, trigger } = await triggerScene()
  const { triggers } = (await helper(here).get('/test_helpers/triggers')).body as TriggerList
  const unexpected: unknown[] = []
  for (const { type, set } of triggers)
    for (const [name, value] of Object.entries(set)) {
      const answer = value === null ? await trigger(type, { set: { [name]: '999999999' } }) : null
      if (answer && ![200, 400, 404, 422].includes(answer.status)) unexpected.push([type, name, answer.text])
    }
  expect(unexpected).toEqual([])
  const { body } = await trigger('lead_status_changed', { set: { lead: 999_999_999 } })
  expect(body.detail).toMatch(/^GET \S+\/999999999 was answered with 204: there is no such record/)
})

onEmbedded(
  'only the key of the test helpers triggers, in the account of the host, with a token that is not shown',
  async () => {
    const { here, triggered } = await triggerScene()
    const body = { type: 'add_lead' }
    expect((await here.stranger.post('/test_helpers/trigger', body)).status).toBe(401)
    expect((await here.admin.browser.post('/test_helpers/trigger', body)).status).toBe(401)
    const account = await here.addAccount('other')
    const there = helper(here).as({ host: here.ctx.hosts.accountHost('other') })
    expect((await there.post('/test_helpers/trigger', body)).status).toBe(409)
    const ben = await here.addPerson({ name: 'Ben', account, is_admin: true })
    await register(ben)
    const { status, text } = await there.post('/test_helpers/trigger', body)
    expect(status).toBe(200)
    expect(text).not.toMatch(/eyJ/)
    expect((await ben.browser.get('/web/v4/leads')).body._embedded.leads).toHaveLength(1)
    // Several actions share a token, which administrators see by its name.
    for (let i = 0; i < 3; i++) await triggered('add_lead')
    const [installation] = (await here.admin.browser.get('/web/installations')).body.installations
    expect(installation.grants.map((one: { long_lived: string }) => one.long_lived)).toEqual([
      'patchbay trigger',
    ])
  },
)

onEmbedded('a server in production has no such address', async () => {
  const here = await world({
    mode: 'serve',
    env: { PUBLIC_URL: 'https://hub.example.com', MASTER_KEY: Buffer.alloc(32, 7).toString('base64') },
  })
  const answer = await here.stranger.post('/test_helpers/trigger', { type: 'add_lead' })
  expect(answer.status).toBe(404)
})
