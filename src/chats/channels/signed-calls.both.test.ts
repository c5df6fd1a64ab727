import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { CHATS, channelOf, connected, signedAnew } from '../../../test/fixtures/chats.ts'
import { world } from '../../../test/world.ts'

const PUSH = JSON.stringify({
  event_type: 'new_message',
  payload: {
    timestamp: 1_772_366_400,
    msgid: 'm-1',
    conversation_id: 'c-1',
    sender: { id: 's-1', name: 'Sue Brook', profile: { phone: '+1 555 0102' } },
    message: { type: 'text', text: 'Good morning' },
  },
})

test('a call is signed on the server, and the chat API accepts it (Q40)', async () => {
  const place = await world()
  const { admin, stranger, ctx } = place
  const { channel, scope_id } = await connected(place, { protocol: 'live' })
  const sign = (call: object) => admin.browser.post(`/web/channels/${channel.id}/signatures`, call)
  const path = `${CHATS}/${scope_id}`

  const { body, status } = await sign({ method: 'POST', path, body: PUSH })
  expect([status, body]).toEqual([
    200,
    { headers: { 'X-Signature': expect.stringMatching(/^[0-9a-f]{40}$/) } },
  ])
  const json = { 'content-type': 'application/json' }
  const pushed = await stranger.post(path, PUSH, { ...json, ...body.headers })
  expect([pushed.status, pushed.text]).toEqual([200, expect.stringContaining('new_message')])
  const changed = await stranger.post(path, `${PUSH} `, { ...json, ...body.headers })
  expect(changed.status).toBe(403)

  const history = `${path}/chats/${pushed.body.new_message.conversation_id}/history`
  const { headers } = (await sign({ method: 'GET', path: history, body: '' })).body
  const date = new Date(ctx.clock())
  expect(headers['X-Signature']).toBe(
    signedAnew(channel.secret, { method: 'GET', path: history, date })['x-signature'],
  )
  expect((await stranger.get(`${history}?limit=1`, headers)).status).toBe(200)
  const log = await ctx.db.selectFrom('audit_log').select('action').execute()
  expect(log.filter(({ action }) => action === 'channel.call_signed')).toHaveLength(2)
})

test('the connection of the own account is signed, that of another account is not', async () => {
  const place = await world()
  const { admin, addAccount, account } = place
  const channel = await channelOf(place)
  const other = await addAccount('other')
  const path = `${CHATS}/${channel.id}/connect`
  const sign = (account_id: unknown, at = path) =>
    admin.browser.post(`/web/channels/${channel.id}/signatures`, {
      method: 'POST',
      path: at,
      body: typeof account_id === 'string' ? JSON.stringify({ account_id }) : '{',
    })
  expect((await sign(account.amojo_id)).status).toBe(200)
  expect((await sign(other.amojo_id)).body['validation-errors'][0].errors[0]).toMatchObject({
    path: 'body.account_id',
    detail: 'The call has to name the amojo_id of your own account.',
  })
  expect((await sign(undefined)).status).toBe(400)
  for (const at of [`${CHATS}/${channel.id}_${other.amojo_id}`, '/api/v4/leads', `${CHATS}/`, CHATS]) {
    const refused = await sign(account.amojo_id, at)
    expect([refused.status, refused.body['validation-errors'][0].errors[0].path]).toEqual([400, 'path'])
  }
})

onEmbedded('only administrators of the account of the channel have calls signed', async () => {
  const place = await world()
  const { stranger, addPerson, addAccount, ctx, admin } = place
  const { channel, scope_id } = await connected(place)
  const call = { method: 'POST', path: `${CHATS}/${scope_id}`, body: '{}' }
  const at = `/web/channels/${channel.id}/signatures`
  const elsewhere = await addPerson({ account: await addAccount('other'), is_admin: true })
  const before = await ctx.db.selectFrom('audit_log').select('id').execute()
  for (const [caller, status] of [
    [stranger, 401],
    [(await addPerson({ rights: {} })).browser, 403],
    [elsewhere.browser, 404],
  ] as const)
    expect((await caller.post(at, call)).status).toBe(status)
  for (const bad of [
    { ...call, method: 'TRACE' },
    { ...call, body: 5 },
    { ...call, path: 'a'.repeat(1_001) },
    {},
  ])
    expect((await admin.browser.post(at, bad)).status).toBe(400)
  expect((await admin.browser.post(at, { ...call, body: 'a'.repeat(65_537) })).status).toBe(413)
  expect(await ctx.db.selectFrom('audit_log').select('id').execute()).toEqual(before)
})

test('a signature of a body, which is valid for every account of the channel, is made for no other account', async () => {
  const place = await world()
  const { admin, addAccount, account, clock } = place
  const { channel, scope_id } = await connected(place)
  const other = await addAccount('other')
  const sign = (body: string, method = 'POST') =>
    admin.browser.post(`/web/channels/${channel.id}/signatures`, {
      ...{ method, body, path: `${CHATS}/${scope_id}` },
    })
  // It would connect the other account, or disconnect it.
  for (const mark of ['', '\uFEFF']) {
    const refused = await sign(`${mark}${JSON.stringify({ account_id: other.amojo_id })}`)
    expect([refused.status, refused.body['validation-errors']?.[0].errors[0].path]).toEqual([
      400,
      'body.account_id',
    ])
  }
  clock.advance(3_600)
  expect((await sign(PUSH)).status).toBe(200)
  await place.ctx.db.transaction().execute((tx) =>
    tx
      .insertInto('channel_connections')
      .values((eb) => ({
        ...{ account_id: other.id, channel_id: channel.id, title: null, hook_api_version: 'v1' },
        ...{ is_time_window_disabled: eb.val(0), connected_at: 1, updated_at: 1 },
      }))
      .execute(),
  )
  expect((await sign(PUSH)).status).toBe(403)
  expect((await sign('', 'GET')).status).toBe(200)
  const fresh = await place.signIn(admin)
  const call = { method: 'POST', path: `${CHATS}/${scope_id}`, body: PUSH }
  expect((await fresh.post(`/web/channels/${channel.id}/signatures`, call)).status).toBe(200)
  expect(account.id).not.toBe(other.id)
})
