import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { type Connected, channelOf, connected, provider } from '../../../test/fixtures/chats.ts'
import { line } from '../../../test/fixtures/conversations.ts'
import { register } from '../../../test/fixtures/integrations.ts'
import { type World, world } from '../../../test/world.ts'
import { botIdOf } from '../scopes/scopes.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** All that is stored of connections, to see that a refusal changed nothing. */
const stored = async ({ ctx }: World) => ({
  rows: await ctx.db.selectFrom('channel_connections').selectAll().orderBy('account_id').execute(),
  log: (await ctx.db.selectFrom('audit_log').select('id').execute()).length,
})

/** A channel with an integration that anybody may install, and an account that is not its own. */
async function shop() {
  const all = await world()
  const { client_id } = await register(all.admin, { access: 'public' })
  const channel = await channelOf(all, { integration_id: client_id })
  const olga = await all.addPerson({ name: 'Olga', is_admin: true, account: await all.addAccount('other') })
  const { call } = provider(all, channel)
  const connect = (body: object) => call('POST', `/${channel.id}/connect`, body)
  const disconnect = (method: string, account_id: unknown) =>
    call(method, `/${channel.id}/disconnect`, { account_id })
  /** As consent does, without its pages. */
  const install = async () => {
    const [row] = await all.ctx.db
      .selectFrom('installations')
      .selectAll()
      .where('integration_id', '=', client_id)
      .execute()
    const there = { ...row, account_id: olga.account.id }
    await all.ctx.db.transaction().execute((tx) =>
      tx
        .insertInto('installations')
        .values(there as never)
        .execute(),
    )
  }
  return { ...all, client_id, channel, olga, call, connect, disconnect, install }
}

const problem = (error_code: number, error_type: string, error_description: string) => ({
  status: 0,
  error_code,
  error_type,
  error_description,
})

describe('Connect (C3)', () => {
  test('returns the scope, which is composed of channel and account', async () => {
    const { connect, channel, account, ctx } = await shop()
    const { status, headers, body } = await connect({ account_id: account.amojo_id })
    expect([status, headers['content-type'], body]).toEqual([
      200,
      'application/json',
      {
        account_id: account.amojo_id,
        scope_id: `${channel.id}_${account.amojo_id}`,
        title: 'Messenger',
        hook_api_version: 'v1',
        is_time_window_disabled: false,
        bot_id: botIdOf(channel.id),
      },
    ])
    expect(await ctx.db.selectFrom('channel_connections').selectAll().execute()).toEqual([
      {
        account_id: account.id,
        channel_id: channel.id,
        title: null,
        hook_api_version: 'v1',
        is_time_window_disabled: 0,
        connected_at: ctx.now(),
        updated_at: ctx.now(),
      },
    ])
  })

  test('returns the same answer the second time, and changes the given settings', async () => {
    const { connect, account, clock, ctx } = await shop()
    const { amojo_id } = account
    const settings = { title: 'Support', hook_api_version: 'v2', is_time_window_disabled: true }
    const first = await connect({ account_id: amojo_id, ...settings })
    expect(first.body).toMatchObject(settings)
    clock.advance(60)
    expect((await connect({ account_id: amojo_id })).body).toEqual(first.body)
    expect((await connect({ account_id: amojo_id, ...settings, unknown: 1 })).body).toEqual(first.body)
    const [row] = await ctx.db.selectFrom('channel_connections').selectAll().execute()
    expect([row?.connected_at, row?.updated_at]).toEqual([clock.now() - 60, clock.now() - 60])
    const second = await connect({ account_id: amojo_id, title: '', is_time_window_disabled: false })
    expect(second.body).toEqual({ ...first.body, title: '', is_time_window_disabled: false })
    const [changed] = await ctx.db.selectFrom('channel_connections').selectAll().execute()
    expect([changed?.connected_at, changed?.updated_at]).toEqual([clock.now() - 60, clock.now()])
  })

  test('answers the present name of the channel as the title, unless the connection has its own', async () => {
    const { connect, account, admin, channel } = await shop()
    const { amojo_id } = account
    const titleNow = async (settings: object = {}) =>
      (await connect({ account_id: amojo_id, ...settings })).body.title
    expect(await titleNow()).toBe('Messenger')
    await admin.browser.patch(`/web/channels/${channel.id}`, { name: 'Helpdesk' })
    expect(await titleNow()).toBe('Helpdesk')
    expect(await titleNow({ title: 'Support' })).toBe('Support')
    expect(await titleNow()).toBe('Support')
    expect(await titleNow({ title: null })).toBe('Support')
  })

  test('creates one connection for two concurrent requests', async () => {
    const { connect, account, ctx } = await shop()
    const asked = Array.from({ length: 10 }, () => connect({ account_id: account.amojo_id }))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await ctx.db.selectFrom('channel_connections').select('account_id').execute()).toHaveLength(1)
    const log = await ctx.db
      .selectFrom('audit_log')
      .select('id')
      .where('action', '=', 'channel.connected')
      .execute()
    expect(log).toHaveLength(1)
  })

  const wrong: [member: string, value: unknown, code: string][] = [
    ['account_id', undefined, 'FieldMissing'],
    ['account_id', 1, 'InvalidType'],
    ['account_id', '', 'NotBlank'],
    ['account_id', 'x'.repeat(65), 'TooLong'],
    ['account_id', 'demo', 'InvalidFormat'],
    ['title', 5, 'InvalidType'],
    ['title', 'x'.repeat(256), 'TooLong'],
    ['hook_api_version', 'v3', 'NotSupportedChoice'],
    ['hook_api_version', 2, 'NotSupportedChoice'],
    ['is_time_window_disabled', 1, 'InvalidType'],
    ['is_time_window_disabled', 'true', 'InvalidType'],
  ]
  onEmbedded.each(wrong)(
    'is refused with %s = %j, with the name of the member',
    async (member, value, code) => {
      const all = await shop()
      const before = await stored(all)
      const { status, body } = await all.connect({ account_id: all.account.amojo_id, [member]: value })
      expect([status, body]).toEqual([
        400,
        {
          ...problem(400, 'INVALID', 'Request validation failed'),
          errors: [{ path: member, code, detail: expect.any(String) }],
        },
      ])
      expect(await stored(all)).toEqual(before)
    },
  )

  onEmbedded(
    'is refused with 404 for an unknown account, and with 403 for an account that does not allow the channel',
    async () => {
      const all = await shop()
      const before = await stored(all)
      const answers = []
      for (const account_id of [NOBODY, all.account.amojo_id.toUpperCase(), all.olga.account.amojo_id])
        answers.push(await all.connect({ account_id }))
      const none = [404, problem(404, 'NOT_FOUND', 'There is no account with this amojo_id in account_id.')]
      const closed = 'The integration of the channel is not installed in this account.'
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        none,
        none,
        [403, problem(403, 'FORBIDDEN', closed)],
      ])
      expect(await stored(all)).toEqual(before)
    },
  )

  test('is refused for another account if the channel has no integration', async () => {
    const all = await shop()
    const own = await channelOf(all)
    const { call } = provider(all, own)
    const { status, body } = await call('POST', `/${own.id}/connect`, {
      account_id: all.olga.account.amojo_id,
    })
    const reason = 'The channel has no integration, so only its own account can connect it.'
    expect([status, body]).toEqual([403, problem(403, 'FORBIDDEN', reason)])
  })

  test("works for another account that installed the channel's integration, and is in both audit logs", async () => {
    const { connect, install, olga, admin, channel, clock } = await shop()
    await install()
    const { amojo_id, id } = olga.account
    expect((await connect({ account_id: amojo_id })).body.scope_id).toBe(`${channel.id}_${amojo_id}`)
    expect((await admin.browser.get(`/web/channels/${channel.id}/connections`)).body).toEqual({
      connections: [
        {
          account_id: id,
          account_name: 'other Ltd',
          subdomain: 'other',
          scope_id: `${channel.id}_${amojo_id}`,
          title: null,
          hook_api_version: 'v1',
          is_time_window_disabled: false,
          connected_at: clock.now(),
        },
      ],
    })
    const shown = (await admin.browser.get(`/web/channels/${channel.id}`)).body
    expect([shown.connections, shown.is_connected]).toEqual([1, false])
    const { entries } = (await admin.browser.get(`/web/channels/${channel.id}/log`)).body
    expect(entries[0]).toMatchObject({
      action: 'channel.connected',
      user: null,
      details: { name: 'Messenger', accounts: [id] },
      address: '127.0.0.1',
    })
  })

  test('never works for another account without an integration', async () => {
    const all = await shop()
    await all.install()
    const bare = await channelOf(all)
    const answer = await provider(all, bare).call('POST', `/${bare.id}/connect`, {
      account_id: all.olga.account.amojo_id,
    })
    expect(answer.status).toBe(403)
  })
})

describe('Disconnect (C3)', () => {
  onEmbedded.each(['POST', 'DELETE'])(
    'by %s answers 200 without a body, or 404 if the account is not connected',
    async (method) => {
      const { connect, disconnect, account, ctx, call, channel } = await shop()
      await connect({ account_id: account.amojo_id })
      const { status, text, headers } = await disconnect(method, account.amojo_id)
      expect([status, text, headers['content-type']]).toEqual([200, '', undefined])
      expect(await ctx.db.selectFrom('channel_connections').selectAll().execute()).toEqual([])
      const again = await disconnect(method, account.amojo_id)
      expect([again.status, again.body]).toEqual([
        404,
        problem(404, 'NOT_FOUND', 'The account is not connected to the channel.'),
      ])
      const pushed = await call('POST', `/${channel.id}_${account.amojo_id}`, {})
      expect([pushed.status, pushed.body.error_type]).toEqual([404, 'ACCOUNT_NOT_CONNECTED'])
    },
  )

  onEmbedded.each(['POST', 'DELETE'])('by %s is strict, and refuses an unknown account', async (method) => {
    const all = await shop()
    await all.connect({ account_id: all.account.amojo_id })
    const before = await stored(all)
    const statuses = []
    for (const account_id of [undefined, 1, null, '', NOBODY, all.olga.account.amojo_id])
      statuses.push((await all.disconnect(method, account_id)).status)
    expect(statuses).toEqual([400, 400, 400, 400, 404, 404])
    expect(await stored(all)).toEqual(before)
  })

  test('fails pending messages of this account, and keeps those of others', async () => {
    const all = await shop()
    const { admin, app, ctx, olga } = all
    await all.install()
    const open = await line(all, { integration_id: all.client_id })
    const there = { account_id: olga.account.amojo_id }
    const { body } = await open.call('POST', `/${open.channel.id}/connect`, there)
    const ours = await open.write('ann')
    const theirs = await pushTo(open, body.scope_id, ctx.now())
    const write = (browser: typeof admin.browser, chat: string, text: string) =>
      browser.post(`/web/v4/chats/${chat}/messages`, { text })
    for (const text of ['One', 'Two']) await write(admin.browser, ours, text)
    await write(olga.browser, theirs, 'Three')
    const { amojo_id } = all.account
    expect(
      (await open.call('DELETE', `/${open.channel.id}/disconnect`, { account_id: amojo_id })).status,
    ).toBe(200)
    await app.deliveries.runDue()
    expect(open.there.received.map(({ body: sent }) => JSON.parse(sent).text)).toEqual(['Three'])
    const states = async (browser: typeof admin.browser, chat: string) =>
      (await browser.get(`/web/v4/chats/${chat}/messages`)).body._embedded.messages.map(
        (one: { text: string; state: string; error: string | null }) => [one.text, one.state, one.error],
      )
    expect(await states(admin.browser, ours)).toEqual([
      ['Two', 'failed', 'disconnected'],
      ['One', 'failed', 'disconnected'],
      ['Hello', 'received', null],
    ])
    expect(await states(olga.browser, theirs)).toEqual([
      ['Three', 'delivered', null],
      ['Hello', 'received', null],
    ])
    expect((await write(admin.browser, ours, 'Four')).status).toBe(409)
  })
})

async function pushTo(open: Connected, scope_id: string, timestamp: number): Promise<string> {
  const answer = await open.call('POST', `/${scope_id}`, {
    event_type: 'new_message',
    payload: {
      timestamp,
      msgid: 'm-1',
      conversation_id: 'c-1',
      sender: { id: 's-1', name: 'Sue', avatar: 'https://example.com/a.png' },
      message: { type: 'text', text: 'Hello' },
    },
  })
  return answer.body.new_message.conversation_id
}

describe('Disabling the integration of a channel', () => {
  test('disconnects that account and no others', async () => {
    const { connect, install, olga, account, admin, client_id, channel, ctx } = await shop()
    await install()
    for (const { amojo_id } of [account, olga.account]) await connect({ account_id: amojo_id })
    expect((await olga.browser.post(`/web/installations/${client_id}/disable`)).status).toBe(204)
    const rows = await ctx.db.selectFrom('channel_connections').select('account_id').execute()
    expect(rows).toEqual([{ account_id: account.id }])
    expect((await connect({ account_id: olga.account.amojo_id })).status).toBe(403)
    const { entries } = (await admin.browser.get(`/web/channels/${channel.id}/log`)).body
    expect(entries[0]).toMatchObject({
      action: 'channel.disconnected',
      details: { name: 'Messenger', accounts: [olga.account.id] },
    })

    // Its own account decides by itself, with the channel before it.
    expect((await admin.browser.post(`/web/installations/${client_id}/disable`)).status).toBe(204)
    expect(await ctx.db.selectFrom('channel_connections').selectAll().execute()).toEqual([])
    expect((await connect({ account_id: account.amojo_id })).status).toBe(200)
  })

  test('disconnects no channel of another integration', async () => {
    const all = await shop()
    const { client_id } = await register(all.admin)
    await all.connect({ account_id: all.account.amojo_id })
    const before = (await stored(all)).rows
    expect((await all.admin.browser.post(`/web/installations/${client_id}/disable`)).status).toBe(204)
    expect((await stored(all)).rows).toEqual(before)
  })

  test('while a provider connects leaves no connection, in either order', async () => {
    for (let round = 0; round < 5; round++) {
      const { connect, install, olga, client_id, ctx } = await shop()
      await install()
      const [connecting] = await Promise.all([
        connect({ account_id: olga.account.amojo_id }),
        olga.browser.post(`/web/installations/${client_id}/disable`),
      ])
      expect([200, 403]).toContain(connecting.status)
      expect(await ctx.db.selectFrom('channel_connections').selectAll().execute()).toEqual([])
    }
  })
})

describe('The account of the session', () => {
  test('is connected and disconnected by its administrator; repeating it changes nothing', async () => {
    const { admin, channel, ctx, account } = await shop()
    const at = `/web/channels/${channel.id}`
    for (const _ of [1, 2]) {
      const { status, body } = await admin.browser.post(`${at}/connect`)
      expect([status, body.id, body.is_connected, body.connections]).toEqual([200, channel.id, true, 1])
    }
    const rows = await ctx.db.selectFrom('channel_connections').selectAll().execute()
    expect(rows).toMatchObject([{ account_id: account.id, hook_api_version: 'v1', title: null }])
    for (const _ of [1, 2]) {
      const { status, body } = await admin.browser.post(`${at}/disconnect`)
      expect([status, body.is_connected, body.connections]).toEqual([200, false, 0])
    }
    const { entries } = (await admin.browser.get(`${at}/log`)).body
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'channel.disconnected',
      'channel.connected',
      'channel.created',
    ])
  })

  test('is not connected to a channel of another account', async () => {
    const all = await connectedWorld()
    const at = `/web/channels/${all.channel.id}`
    const before = await stored(all)
    expect((await all.olga.browser.post(`${at}/connect`)).status).toBe(404)
    expect((await all.olga.browser.post(`${at}/disconnect`)).status).toBe(404)
    expect(await stored(all)).toEqual(before)
  })
})

async function connectedWorld() {
  const all = await world()
  const olga = await all.addPerson({ is_admin: true, account: await all.addAccount('other') })
  return { ...all, olga, ...(await connected(all)) }
}
