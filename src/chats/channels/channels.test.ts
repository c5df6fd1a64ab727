import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../../test/client.ts'
import { channelOf, connected, provider } from '../../../test/fixtures/chats.ts'
import { line } from '../../../test/fixtures/conversations.ts'
import { register } from '../../../test/fixtures/integrations.ts'
import { type World, world } from '../../../test/world.ts'
import { botIdOf } from '../scopes/scopes.ts'

const URL = 'https://chat.example/hooks/:scope_id'
const UNTRIED = {
  failures: 0,
  failing_since: null,
  opens_at: null,
  last_success_at: null,
  last_failure_at: null,
  last_error: null,
  waiting: 0,
}

/** The actions on a channel, the latest first, as its log tells them. */
const logOf = async (browser: Client, id: string) =>
  (await browser.get(`/web/channels/${id}/log`)).body.entries.map(
    (entry: { action: string; user: { name: string } | null; details: object }) => [
      entry.action,
      entry.user?.name ?? null,
      entry.details,
    ],
  )

/** All that is stored of channels, to see that a refusal changed nothing. */
const stored = async ({ ctx }: World) => ({
  channels: await ctx.db.selectFrom('channels').selectAll().orderBy('id').execute(),
  connections: await ctx.db.selectFrom('channel_connections').selectAll().orderBy('channel_id').execute(),
  log: (await ctx.db.selectFrom('audit_log').select('id').execute()).length,
})

describe('A channel (C1)', () => {
  test('is registered and read back; its id and secret are generated, and the secret is shown once', async () => {
    const { admin, clock } = await world()
    const { client_id } = await register(admin)
    const draft = {
      name: 'Messenger',
      callback_url: URL,
      integration_id: client_id,
      protocol: 'live',
      delivery: 'once',
    }
    const saved = await admin.browser.post('/web/channels', { ...draft, is_deleted: 1, anything: 'else' })
    expect(saved.status).toBe(201)
    const { id } = saved.body.channel
    expect(saved.body).toEqual({
      channel: {
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        bot_id: botIdOf(id),
        ...draft,
        state: 'active',
        stop_reason: null,
        stopped_at: null,
        previous_secret_until: null,
        health: UNTRIED,
        connections: 0,
        is_connected: false,
        created_at: clock.now(),
        created_by: admin.id,
        updated_at: clock.now(),
        updated_by: admin.id,
      },
      keys: { channel_id: id, secret: expect.stringMatching(/^[0-9a-f]{80}$/), previous_until: null },
    })
    expect((await admin.browser.get(`/web/channels/${id}`)).body).toEqual(saved.body.channel)
    expect((await admin.browser.get('/web/channels')).body).toEqual({ channels: [saved.body.channel] })
    expect(await logOf(admin.browser, id)).toEqual([['channel.created', 'Ada', { name: 'Messenger' }]])
  })

  test('has defaults: the protocol of the specification, retries, and no integration', async () => {
    const { admin } = await world()
    const { body } = await admin.browser.post('/web/channels', { name: 'N', callback_url: URL })
    expect(body.channel).toMatchObject({ integration_id: null, protocol: 'spec', delivery: 'retry' })
  })

  const wrong: [member: string, value: unknown, code: string][] = [
    ['name', undefined, 'FieldMissing'],
    ['name', '', 'NotBlank'],
    ['name', ' ', 'InvalidFormat'],
    ['name', 'x'.repeat(256), 'TooLong'],
    ['name', 5, 'InvalidType'],
    ['callback_url', undefined, 'FieldMissing'],
    ['callback_url', '', 'NotBlank'],
    ['callback_url', 'chat.example', 'InvalidFormat'],
    ['callback_url', 'ftp://chat.example/', 'InvalidFormat'],
    ['callback_url', 'javascript:alert(1)', 'InvalidFormat'],
    ['callback_url', 'https://ann:secret@chat.example/', 'InvalidFormat'],
    ['callback_url', 'https://chat.example/#part', 'InvalidFormat'],
    ['callback_url', 'https://CHAT.example/', 'InvalidFormat'],
    ['callback_url', 'https://chat.example/a/../b', 'InvalidFormat'],
    ['callback_url', 'https://0x7f.1/', 'InvalidFormat'],
    ['callback_url', 'https://:scope_id.chat.example/', 'InvalidFormat'],
    ['callback_url', `https://chat.example/${'x'.repeat(2048)}`, 'TooLong'],
    ['callback_url', null, 'NotNullable'],
    ['integration_id', '00000000-0000-4000-8000-000000000000', 'NotSupportedChoice'],
    ['integration_id', 'shop', 'NotSupportedChoice'],
    ['integration_id', '', 'NotBlank'],
    ['protocol', 'loud', 'NotSupportedChoice'],
    ['delivery', 'twice', 'NotSupportedChoice'],
  ]
  test.each(wrong)(
    '%s = %j is refused, new or changed, and nothing is stored',
    async (member, value, code) => {
      const all = await world()
      const { browser } = all.admin
      const { id } = await channelOf(all)
      const before = await stored(all)
      const answers = [await browser.post('/web/channels', { name: 'M', callback_url: URL, [member]: value })]
      if (value !== undefined) answers.push(await browser.patch(`/web/channels/${id}`, { [member]: value }))
      for (const { status, body } of answers) {
        const errors = body['validation-errors']?.[0].errors
        expect([status, errors?.[0]]).toEqual([400, expect.objectContaining({ path: member, code })])
      }
      expect(await stored(all)).toEqual(before)
    },
  )

  test("does not belong to another account's integration", async () => {
    const all = await world()
    const other = await all.addPerson({ is_admin: true, account: await all.addAccount('other') })
    const { client_id } = await register(other, { access: 'public' })
    const draft = { name: 'M', callback_url: URL, integration_id: client_id }
    expect((await all.admin.browser.post('/web/channels', draft)).status).toBe(400)
  })

  test('is one of at most a hundred in an account', async () => {
    const all = await world()
    const { id } = await channelOf(all)
    const [row] = await all.ctx.db.selectFrom('channels').selectAll().execute()
    const copies = Array.from({ length: 99 }, () => ({ ...row, id: randomUUID() }))
    await all.ctx.db.transaction().execute((tx) =>
      tx
        .insertInto('channels')
        .values(copies as never)
        .execute(),
    )
    const refused = await all.admin.browser.post('/web/channels', { name: 'M', callback_url: URL })
    expect([refused.status, refused.body.type.split('#')[1]]).toEqual([409, 'channel_limit'])
    expect((await all.admin.browser.delete(`/web/channels/${id}`)).status).toBe(204)
    await channelOf(all)
  })
})

describe('Changing a channel', () => {
  test('changes the given members; an equal value is no change', async () => {
    const all = await world()
    const { admin, clock } = all
    const { id } = await channelOf(all)
    const at = `/web/channels/${id}`
    const before = (await admin.browser.get(at)).body
    clock.advance(60)
    expect((await admin.browser.patch(at, { name: before.name, is_deleted: 1 })).body).toEqual(before)
    const { client_id } = await register(admin)
    const change = {
      name: 'New',
      callback_url: 'http://127.0.0.1:9/x',
      integration_id: client_id,
      protocol: 'live',
      delivery: 'once',
    }
    expect((await admin.browser.patch(at, change)).body).toEqual({
      ...before,
      ...change,
      updated_at: clock.now(),
    })
    expect(await logOf(admin.browser, id)).toEqual([
      ['channel.changed', 'Ada', { name: 'New', changed: Object.keys(change) }],
      ['channel.created', 'Ada', { name: 'Messenger' }],
    ])
  })

  test('requires a password entered within 15 minutes for the callback URL, as for its keys', async () => {
    const all = await world()
    const { admin, clock } = all
    const { id, secret } = await channelOf(all)
    const at = `/web/channels/${id}`
    expect((await admin.browser.post(`${at}/keys`)).body).toEqual({
      channel_id: id,
      secret,
      previous_until: null,
    })
    clock.advance(15 * 60)
    const before = await stored(all)
    const guarded = [
      await admin.browser.post(`${at}/keys`),
      await admin.browser.post(`${at}/secret`, {}),
      await admin.browser.patch(at, { callback_url: URL }),
    ]
    for (const { status, body } of guarded)
      expect([status, body.type.split('#')[1]]).toEqual([403, 'password_needed'])
    expect(await stored(all)).toEqual(before)
    expect((await admin.browser.patch(at, { name: 'Renamed' })).status).toBe(200)

    const browser = await all.signIn(admin)
    const { body } = await browser.post(`${at}/secret`, { overlap_seconds: 60 })
    expect(body).toEqual({
      channel_id: id,
      secret: expect.stringMatching(/^[0-9a-f]{80}$/),
      previous_until: clock.now() + 60,
    })
    expect((await browser.post(`${at}/keys`)).body).toEqual(body)
    expect((await browser.get(at)).text).not.toContain(body.secret)
    expect((await logOf(browser, id)).slice(0, 3)).toEqual([
      ['channel.secret_shown', 'Ada', { name: 'Renamed' }],
      ['channel.secret_rotated', 'Ada', { name: 'Renamed', previous_until: clock.now() + 60 }],
      ['channel.changed', 'Ada', { name: 'Renamed', changed: ['name'] }],
    ])
  })

  test.each([-1, 604_801, 1.5, '60', null])('refuses an overlap of %j', async (overlap_seconds) => {
    const all = await world()
    const { id } = await channelOf(all)
    const before = await stored(all)
    const answer = await all.admin.browser.post(`/web/channels/${id}/secret`, { overlap_seconds })
    expect(answer.status).toBe(400)
    expect(await stored(all)).toEqual(before)
  })

  test('disconnects accounts that allowed the previous integration, but not its own account', async () => {
    const all = await world()
    const { client_id } = await register(all.admin, { access: 'public' })
    const here = await connected(all, { integration_id: client_id })
    const other = await all.addPerson({ is_admin: true, account: await all.addAccount('other') })
    await installIn(all, other.account.id, client_id)
    const there = { account_id: other.account.amojo_id }
    expect((await here.call('POST', `/${here.channel.id}/connect`, there)).status).toBe(200)
    const at = `/web/channels/${here.channel.id}`
    const changed = await all.admin.browser.patch(at, { integration_id: null })
    expect(changed.body).toMatchObject({ integration_id: null, connections: 1, is_connected: true })
  })
})

/** As consent does, without its pages. */
async function installIn({ ctx }: World, account_id: number, integration_id: string): Promise<void> {
  const [row] = await ctx.db
    .selectFrom('installations')
    .selectAll()
    .where('integration_id', '=', integration_id)
    .execute()
  await ctx.db.transaction().execute((tx) =>
    tx
      .insertInto('installations')
      .values({ ...row, account_id } as never)
      .execute(),
  )
}

describe('Rights to manage a channel', () => {
  const routes: [name: string, ask: (who: Client, at: string) => Promise<Answer>, status: number][] = [
    ['get', (who, at) => who.get(at), 200],
    ['connections', (who, at) => who.get(`${at}/connections`), 200],
    ['log', (who, at) => who.get(`${at}/log`), 200],
    ['patch', (who, at) => who.patch(at, { name: 'Taken over' }), 200],
    ['patch of the callback', (who, at) => who.patch(at, { callback_url: 'https://x.example/' }), 200],
    ['keys', (who, at) => who.post(`${at}/keys`), 200],
    ['secret', (who, at) => who.post(`${at}/secret`, {}), 200],
    ['resume', (who, at) => who.post(`${at}/resume`), 200],
    ['connect', (who, at) => who.post(`${at}/connect`), 200],
    ['disconnect', (who, at) => who.post(`${at}/disconnect`), 200],
    ['delete', (who, at) => who.delete(at), 204],
  ]

  test.each(routes)('%s: every administrator of its account, and nobody else', async (_name, ask, right) => {
    const all = await world()
    const { id } = await channelOf(all)
    const at = `/web/channels/${id}`
    const second = await all.addPerson({ name: 'Second', is_admin: true })
    const seller = await all.addPerson({ name: 'Sam' })
    const other = await all.addPerson({
      name: 'Olga',
      is_admin: true,
      account: await all.addAccount('other'),
    })
    const before = await stored(all)
    const statuses = []
    for (const who of [all.stranger, seller.browser, other.browser])
      statuses.push((await ask(who, at)).status)
    expect(statuses).toEqual([401, 403, 404])
    // Two that are none, one of them no UUID: not found, not refused as a text.
    for (const none of ['00000000-0000-4000-8000-000000000000', 'x'])
      expect((await ask(second.browser, `/web/channels/${none}`)).status).toBe(404)
    expect(await stored(all)).toEqual(before)
    expect((await ask(second.browser, at)).status).toBe(right)
  })

  test('an account lists its own channels, newest first, and only administrators register one', async () => {
    const all = await world()
    const other = await all.addPerson({ is_admin: true, account: await all.addAccount('other') })
    const seller = await all.addPerson({ name: 'Sam' })
    const first = await channelOf(all)
    all.clock.advance(1)
    const second = await channelOf(all)
    await channelOf(all, { by: other })
    const { body } = await all.admin.browser.get('/web/channels')
    expect(body.channels.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id])
    const draft = { name: 'M', callback_url: URL }
    const refused = [
      await all.stranger.get('/web/channels'),
      await all.stranger.post('/web/channels', draft),
      await seller.browser.get('/web/channels'),
      await seller.browser.post('/web/channels', draft),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 403, 403])
  })

  test('a token has none: v4 has no such addresses', async () => {
    const { admin } = await world()
    expect((await admin.browser.get('/web/v4/channels')).status).toBe(404)
  })
})

describe('Deleting a channel', () => {
  test('removes it for users and its provider, fails its pending messages and keeps its conversations', async () => {
    const all = await world()
    const open = await line(all)
    const chat = await open.write('ann')
    const { browser } = all.admin
    await browser.post(`/web/v4/chats/${chat}/messages`, { text: 'On its way' })
    const at = `/web/channels/${open.channel.id}`
    expect((await browser.get(at)).body).toMatchObject({ health: { waiting: 1 }, connections: 1 })
    expect((await browser.delete(at)).status).toBe(204)
    await all.app.deliveries.runDue()
    expect(open.there.received).toEqual([])

    expect((await browser.get('/web/channels')).body).toEqual({ channels: [] })
    for (const again of [await browser.get(at), await browser.delete(at), await browser.get(`${at}/log`)])
      expect(again.status).toBe(404)
    const unknown = { error_code: 404, error_type: 'ORIGIN_NOT_REGISTERED' }
    const { amojo_id } = all.account
    expect((await open.push({})).body).toMatchObject(unknown)
    const connect = open.call('POST', `/${open.channel.id}/connect`, { account_id: amojo_id })
    expect((await connect).body).toMatchObject(unknown)

    const [message] = (await browser.get(`/web/v4/chats/${chat}/messages`)).body._embedded.messages
    expect(message).toMatchObject({ text: 'On its way', state: 'failed', error: 'disconnected' })
    const [row] = await all.ctx.db.selectFrom('channels').selectAll().execute()
    expect(row).toMatchObject({ id: open.channel.id, is_deleted: 1, updated_by: all.admin.id })
    const refused = await browser.post(`/web/v4/chats/${chat}/messages`, { text: 'And now?' })
    expect([refused.status, refused.body.type.split('#')[1]]).toEqual([409, 'channel_closed'])
  })
})

describe('A channel whose callback answers 410', () => {
  test('is stopped and its pending messages fail until a user resumes it; pushes are still accepted', async () => {
    const all = await world()
    const open = await line(all)
    const chats = [await open.write('ann'), await open.write('bob')]
    const { browser } = all.admin
    open.there.answer = (_request, response) => {
      response.statusCode = 410
      response.end()
    }
    for (const chat of chats) await browser.post(`/web/v4/chats/${chat}/messages`, { text: 'Hi' })
    await browser.post(`/web/v4/chats/${chats[0]}/messages`, { text: 'Behind it' })
    await all.app.deliveries.runDue()
    const at = `/web/channels/${open.channel.id}`
    const stopped = (await browser.get(at)).body
    expect(stopped).toMatchObject({ state: 'stopped', stop_reason: 'gone', stopped_at: all.clock.now() })
    expect(stopped.health.waiting).toBe(0)
    const { length } = open.there.received
    const states = await all.ctx.db
      .selectFrom('chat_messages')
      .select(['text', 'state'])
      .where('direction', '=', 'out')
      .execute()
    expect(states.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
    expect((await browser.post(`/web/v4/chats/${chats[0]}/messages`, { text: 'No' })).status).toBe(409)
    await open.write('ann', 'Still here')

    open.there.answer = (_request, response) => response.end()
    const resumed = await browser.post(`${at}/resume`)
    expect([resumed.status, resumed.body]).toEqual([
      200,
      { ...stopped, state: 'active', stop_reason: null, stopped_at: null, health: resumed.body.health },
    ])
    expect(resumed.body.health).toMatchObject({ failures: 0, failing_since: null, opens_at: null })
    expect((await browser.post(`/web/v4/chats/${chats[0]}/messages`, { text: 'Yes' })).status).toBe(200)
    await all.app.deliveries.runDue()
    expect(open.there.received.slice(length).map(({ body }) => JSON.parse(body).text)).toEqual(['Yes'])
    expect((await logOf(browser, open.channel.id)).slice(0, 2)).toEqual([
      ['channel.resumed', 'Ada', { name: 'Messenger' }],
      ['channel.stopped', null, { name: 'Messenger', reason: 'gone' }],
    ])
  })

  test('shows the recent answers of its callback', async () => {
    const all = await world()
    const open = await line(all)
    const chat = await open.write('ann')
    open.there.answer = (_request, response) => {
      response.statusCode = 503
      response.end()
    }
    const { browser } = all.admin
    await browser.post(`/web/v4/chats/${chat}/messages`, { text: 'Hi' })
    await all.app.deliveries.runDue()
    const at = `/web/channels/${open.channel.id}`
    const now = all.clock.now()
    expect((await browser.get(at)).body.health).toEqual({
      failures: 1,
      failing_since: now,
      opens_at: null,
      last_success_at: null,
      last_failure_at: now,
      last_error: '503',
      waiting: 1,
    })
    // Until it is left alone for a while; resumed by hand it is tried at once.
    for (const seconds of [60, 60, 300, 900]) {
      all.clock.advance(seconds)
      await all.app.deliveries.runDue()
    }
    const { health } = (await browser.get(at)).body
    expect([health.failures, health.opens_at > all.clock.now()]).toEqual([5, true])
    open.there.answer = (_request, response) => response.end()
    const resumed = await browser.post(`${at}/resume`)
    expect(resumed.body.health).toMatchObject({ failures: 0, opens_at: null, waiting: 1 })
    await all.app.deliveries.runDue()
    expect(open.there.received).toHaveLength(6)
    expect((await browser.get(at)).body.health).toMatchObject({
      waiting: 0,
      last_success_at: all.clock.now(),
    })
  })
})

test('requests of a deleted channel count as unauthenticated', async () => {
  const all = await world({ env: { RATE_LIMITS: 'on' } })
  const channel = await channelOf(all)
  await all.admin.browser.delete(`/web/channels/${channel.id}`)
  const ask = () => provider(all, channel).call('POST', `/${channel.id}/connect`, { account_id: 'x' })
  const statuses = []
  for (let i = 0; i < 41; i++) statuses.push((await ask()).status)
  expect([new Set(statuses.slice(0, 40)), statuses[40]]).toEqual([new Set([404]), 429])
})
