import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { line, textOf } from '../../test/fixtures/conversations.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { helper } from '../../test/fixtures/request-log.ts'
import { bodyOf, itemsOf, subjectOf, subscribed } from '../../test/fixtures/webhooks.ts'
import { type World, world } from '../../test/world.ts'
import { oldestTransaction } from '../db/dialect.ts'
import type { WebhookListenerRow } from '../db/tables.ts'
import { requestLogOf } from '../request-log/request-log.ts'
import { deleteEnded, selectListeners } from '../webhooks/listener-queries.ts'
import type { HeardPage } from './schemas.ts'

const SESSION = 'session-of-a-test'

/** Reads what was sent since the last call; the first call begins. */
async function listener(
  here: World,
  query = '',
  caller: Client = helper(here),
  path = '/test_helpers/listen',
) {
  let after: number | undefined
  const next = async (): Promise<HeardPage> => {
    // An announced change becomes a delivery when the queue is polled.
    await here.app.deliveries.runDue()
    // While a transaction is open, a page ends before it. The clock stands still, so all deliveries are of one second.
    await requestLogOf(here.ctx).flush()
    while ((await oldestTransaction(here.ctx.db)) !== null) await sleep(5)
    const answer = await caller.get(`${path}?${query}${after === undefined ? '' : `&after=${after}`}`)
    if (answer.status !== 200) throw new Error(answer.text)
    after = answer.body.next
    return answer.body
  }
  const { session } = await next()
  return { session, heard: async () => (await next()).requests }
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

test('a session receives changes without a webhook, signed with the secret that it got', async () => {
  const here = await world()
  const { session, heard } = await listener(here, `session=${SESSION}`)
  expect(session).toEqual({
    account: 'demo',
    session: SESSION,
    is_resumed: false,
    secret: expect.stringMatching(/^whsec_/),
  })
  const lead = await add(here.admin.browser, 'leads', { name: 'Roof' })
  const [request, ...others] = await heard()
  expect(others).toEqual([])
  expect(request).toMatchObject({ kind: 'webhook_listener', event: 'leads[add]', method: 'POST', url: null })
  expect(itemsOf(request as { body: string })).toEqual([
    expect.objectContaining({ id: String(lead), name: 'Roof' }),
  ])
  const { headers, body } = request as { headers: Record<string, string>; body: string }
  const secret = session.secret as string
  expect(headers['x-signature']).toBe(hmac(secret, body))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  // It is not sent to anybody, and it is not read twice.
  expect(await here.app.deliveries.runDue()).toBe(0)
  expect(await heard()).toEqual([])
})

test('what a webhook receives is heard with the same bytes and headers, and only once', async () => {
  const here = await world()
  const hook = await subscribed(here, ['add_lead'], () => 500)
  const { secret } = (await here.admin.browser.post(`/web/webhooks/${hook.id}/secret`)).body
  const { heard } = await listener(here, `session=${SESSION}`)
  await add(here.admin.browser, 'leads', { name: 'Roof' })
  await add(here.admin.browser, 'contacts', { name: 'Ann' })
  const requests = await heard()
  const [hit] = hook.hits
  expect(requests.map(({ kind, event }) => [kind, event])).toEqual(
    expect.arrayContaining([
      ['webhook', 'leads[add]'],
      ['webhook_listener', 'contacts[add]'],
    ]),
  )
  expect(requests).toHaveLength(2)
  const copy = requests.find(({ kind }) => kind === 'webhook')
  expect([copy?.body, copy?.url]).toEqual([hit?.body, hook.destination])
  expect(hit?.headers).toMatchObject(copy?.headers ?? {})
  expect(copy?.headers['x-signature']).toBe(hmac(secret, hit?.body ?? ''))
})

test('events come from a subscription of the session, although a webhook has them', async () => {
  const here = await world()
  await subscribed(here, ['add_lead'])
  const { heard } = await listener(here, `session=${SESSION}&events=add_lead,delete_lead`)
  const lead = await add(here.admin.browser, 'leads', { name: 'Roof' })
  await here.admin.browser.patch(`/web/v4/leads/${lead}`, { name: 'Floor' })
  await here.admin.browser.delete(`/web/v4/leads/${lead}`)
  expect((await heard()).map(({ kind, event }) => [kind, event])).toEqual([
    ['webhook_listener', 'leads[add]'],
    ['webhook_listener', 'leads[delete]'],
  ])
})

onEmbedded('callbacks of one channel, the disable hook and the query of its address', async () => {
  const here = await world()
  const [one, other] = [await line(here), await line(here, { name: 'Other' })]
  const all = await listener(here)
  const ofOne = await listener(here, `channel=${one.channel.id}`)
  for (const open of [one, other]) {
    const chat = await open.write('sue', 'Is it there?')
    await here.admin.browser.post(`/web/v4/chats/${chat}/messages`, { text: 'Yes' })
  }
  const heard = await ofOne.heard()
  expect(heard.map(({ kind, url }) => [kind, url])).toEqual([['chat_message', `${one.there.url}/callback`]])
  const [callback] = one.there.received
  expect([heard[0]?.body, heard[0]?.headers['x-signature']]).toEqual([
    callback?.body,
    callback?.headers['x-signature'],
  ])
  const integration = await register(here.admin, { disable_hook_url: `${one.there.url}/disabled` })
  await here.admin.browser.post(`/web/installations/${integration.client_id}/disable`)
  const [, , hook] = await all.heard()
  expect([hook?.kind, hook?.method, hook?.url]).toEqual([
    'disable_hook',
    'GET',
    expect.stringContaining(`/disabled?account_id=${here.account.id}&client_id=${integration.client_id}`),
  ])
})

onEmbedded(
  'a token of an administrator listens to its account, without the secrets of other integrations',
  async () => {
    const here = await world()
    const hook = await line(here)
    const tokenOf = async (permissions: ('crm' | 'chats')[]) => {
      const integration = await register(here.admin, { permissions })
      return here.stranger.as({ token: (await connect(here.stranger, integration)).access_token })
    }
    const at = '/api/v4/outgoing_requests'
    const [full, crm] = [await tokenOf(['crm', 'chats']), await tokenOf(['crm'])]
    const heard = await listener(here, '', full, at)
    const withoutChats = await listener(here, '', crm, at)
    const tests = await listener(here)
    const other = await register(here.admin, { disable_hook_url: `${hook.there.url}/disabled` })
    await here.admin.browser.post(`/web/installations/${other.client_id}/disable`)
    const chat = await hook.write('sue', 'Is it there?')
    await here.admin.browser.post(`/web/v4/chats/${chat}/messages`, { text: 'Yes' })
    await subscribed(here, ['add_lead'])
    await add(here.admin.browser, 'leads', { name: 'Roof' })
    const kinds = async ({ heard }: { heard(): Promise<{ kind: string }[]> }) =>
      (await heard()).map(({ kind }) => kind)
    expect(await kinds(tests)).toEqual(['disable_hook', 'chat_message', 'webhook'])
    expect(await kinds(heard)).toEqual(['chat_message', 'webhook'])
    expect(await kinds(withoutChats)).toEqual(['webhook'])
    const { body } = await full.get(`${at}?session=${SESSION}`)
    expect(body.session.secret).toMatch(/^whsec_/)
  },
)

test('sessions do not take anything from each other', async () => {
  const here = await world()
  const rest = await listener(here, `session=${SESSION}`)
  const own = await listener(here, 'session=another-session&events=add_lead')
  const lead = await add(here.admin.browser, 'leads', { name: 'Roof' })
  for (const { heard } of [rest, own])
    expect((await heard()).flatMap((request) => itemsOf(request)).map(({ id }) => id)).toEqual([String(lead)])
})

test('nobody else listens, and bad requests change nothing', async () => {
  const here = await world()
  const at = '/api/v4/outgoing_requests'
  const eve = await here.addPerson({ name: 'Eve' })
  const tests = helper(here)
  expect((await here.stranger.get('/test_helpers/listen')).status).toBe(401)
  expect((await here.stranger.get(at)).status).toBe(401)
  expect((await eve.browser.get('/web/v4/outgoing_requests')).status).toBe(403)
  expect((await here.admin.browser.get('/web/v4/outgoing_requests')).status).toBe(200)
  const refused: [query: string, path: string][] = [
    ['events=add_lead', 'session'],
    [`session=${SESSION}&events=add_leads`, 'events'],
    ['session=x', 'session'],
    [`session=${'x'.repeat(65)}`, 'session'],
    ['channel=1', 'channel'],
    ['after=-1', 'after'],
    ['limit=251', 'limit'],
  ]
  for (const [query, path] of refused) {
    const { status, body } = await tests.get(`/test_helpers/listen?${query}`)
    expect([query, status, body['validation-errors']?.[0].errors[0].path]).toEqual([query, 400, path])
  }
  const stream = await tests.get('/test_helpers/listen', {
    accept: 'text/event-stream',
    'last-event-id': 'first',
  })
  expect(stream.status).toBe(400)
  await add(here.admin.browser, 'leads', { name: 'Roof' })
  expect(await here.ctx.db.selectFrom('webhook_announcements').select('id').execute()).toEqual([])
})

test('an account hears only itself', async () => {
  const here = await world()
  const account = await here.addAccount('other')
  const ben = await here.addPerson({ name: 'Ben', account, is_admin: true })
  const tests = helper(here)
  const there = tests.as({ host: here.ctx.hosts.accountHost('other') })
  const [own, foreign] = [
    await listener(here, `session=${SESSION}`, tests),
    await listener(here, `session=${SESSION}`, there),
  ]
  expect(own.session.secret).not.toBe(foreign.session.secret)
  await add(here.admin.browser, 'leads', { name: 'Roof' })
  await add(ben.browser, 'leads', { name: 'Floor' })
  for (const [{ heard }, subdomain] of [
    [own, 'demo'],
    [foreign, 'other'],
  ] as const)
    expect((await heard()).map((request) => bodyOf(request).account.subdomain)).toEqual([subdomain])
})

test('an account has ten sessions, and one that nobody reads ends with what it has not read', async () => {
  const here = await world()
  const tests = helper(here)
  const begin = (n: number) => tests.get(`/test_helpers/listen?session=session-${n}`)
  for (let n = 0; n < 10; n++) expect((await begin(n)).status).toBe(200)
  const refused = await begin(10)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  expect((await begin(3)).body.session.is_resumed).toBe(true)
  await add(here.admin.browser, 'leads', { name: 'Roof' })
  await here.app.deliveries.runDue()
  const count = async () => (await here.ctx.db.selectFrom('deliveries').select('id').execute()).length
  expect(await count()).toBe(10)
  here.clock.advance(600)
  await begin(3)
  here.clock.advance(301)
  const sweep = here.app.chores.find(({ name }) => name === 'listeners that left')
  await sweep?.run()
  expect(await count()).toBe(1)
  expect((await begin(10)).status).toBe(200)
  expect((await begin(3)).body.session.is_resumed).toBe(true)
  expect((await begin(4)).body.session.is_resumed).toBe(false)
})

test('a new customer message is heard with its order', async () => {
  const here = await world()
  const open = await line(here)
  const { heard } = await listener(here, `session=${SESSION}&events=add_talk,add_message`)
  await open.push(textOf(here, 'sue', 'First'))
  await open.push(textOf(here, 'sue', 'Second'))
  expect((await heard()).map(subjectOf)).toEqual(['talk[add]', 'message[add]', 'message[add]'])
})

test('a session that is read again while it is being ended stays', async () => {
  const here = await world()
  const begin = () => helper(here).get(`/test_helpers/listen?session=${SESSION}`)
  await begin()
  const [row] = await selectListeners(here.ctx.db, here.account.id)
  const end = () =>
    here.ctx.db.transaction().execute((tx) => deleteEnded(tx, row as WebhookListenerRow, here.clock.now()))
  here.clock.advance(900)
  await begin()
  expect(await end()).toBe(false)
  here.clock.advance(900)
  expect(await end()).toBe(true)
  expect((await begin()).body.session.is_resumed).toBe(false)
})
