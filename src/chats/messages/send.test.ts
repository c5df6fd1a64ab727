import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Line, line } from '../../../test/fixtures/conversations.ts'
import { log } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'

/** A world with one chat, whose other side receives. */
async function chat(draft: object = {}) {
  const all = await world()
  const open = await line(all, draft)
  const id = await open.write('ann')
  return { ...all, open, id, path: `/web/v4/chats/${id}` }
}
type Chat = Awaited<ReturnType<typeof chat>>

async function write({ admin, path }: Chat, text: string) {
  const answer = await admin.browser.post(`${path}/messages`, { text })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const messageOf = async ({ admin, path }: Chat, id: string) =>
  (await admin.browser.get(`${path}/messages`)).body._embedded.messages.find(
    (one: { id: string }) => one.id === id,
  )
const signatureOf = (secret: string, body: string) => createHmac('sha1', secret).update(body).digest('hex')
const bodies = ({ open }: { open: Line }) => open.there.received.map(({ body }) => body)
const texts = ({ open }: { open: Line }) => open.there.received.map(({ body }) => JSON.parse(body).text)

describe('An outgoing message', () => {
  test('is sent to the callback in the form of the description, byte for byte, and signed', async () => {
    const all = await chat()
    const written = await write(all, 'Good "day" – ñ\n')
    expect(written).toEqual({
      id: written.id,
      chat_id: all.id,
      position: 2,
      direction: 'out',
      origin: 'person',
      type: 'text',
      text: 'Good "day" – ñ\n',
      media: null,
      thumbnail: null,
      file_name: null,
      file_size: null,
      content: {},
      author: { type: 'user', id: all.admin.id, name: 'Ada' },
      state: 'pending',
      error_code: null,
      error: null,
      attempts: 0,
      next_attempt_at: all.ctx.now(),
      reactions: [],
      sent_at: all.ctx.now(),
      created_at: all.ctx.now(),
      edited_at: null,
    })
    await all.app.deliveries.runDue()
    expect(bodies(all)).toEqual([
      '{"receiver":"s-ann","conversation_id":"c-ann","type":"text","text":"Good \\"day\\" – ñ\\n"}',
    ])
    const [{ method, path, headers, body }] = all.open.there.received as [Line['there']['received'][0]]
    expect([method, path, headers['content-type']]).toEqual(['POST', '/callback', 'application/json'])
    expect(headers['user-agent']).toBe('amoCRM amoJo/1.0')
    expect(headers['x-signature']).toBe(signatureOf(all.open.channel.secret, body))
    expect(headers['x-signature']).toMatch(/^[0-9a-f]{40}$/)
    expect(headers['webhook-id']).toMatch(/^del_\d+$/)
    expect(headers['webhook-timestamp']).toBe(String(all.ctx.now()))
    expect(headers['webhook-attempt']).toBe('1')
    expect(await messageOf(all, written.id)).toEqual({
      ...written,
      state: 'delivered',
      attempts: 1,
      next_attempt_at: null,
    })
  })

  test('is in the log of the lead with its talk, and marks the chat as read', async () => {
    const all = await chat()
    const before = (await all.admin.browser.get(all.path)).body
    expect([before.is_read, before.unread_count]).toEqual([false, 1])
    const { id } = await write(all, 'Hi')
    const after = (await all.admin.browser.get(all.path)).body
    expect([after.is_read, after.unread_count, after.last_message.id]).toEqual([true, 0, id])
    expect(after.version).toBeGreaterThan(before.version)
    const events = await log(all.ctx, { entity_id: before.lead_id })
    expect(events.at(-1)).toEqual({
      type: 'outgoing_chat_message',
      entity: ['lead', before.lead_id],
      by: all.admin.id,
      before: [],
      after: [{ message: { id, talk_id: before.talk_id, origin: all.open.channel.id } }],
    })
  })

  test('in the live protocol has every member of the live service, with empty values', async () => {
    const all = await chat({ protocol: 'live' })
    await write(all, 'Hi')
    await all.app.deliveries.runDue()
    expect(bodies(all)).toEqual([
      `{"receiver":"s-ann","conversation_id":"c-ann","msec_timestamp":${all.ctx.clock()},"type":"text","text":"Hi",` +
        '"media":"","thumbnail":"","file_name":"","file_size":0}',
    ])
  })

  test('has the v2 form if the provider connected with v2', async () => {
    const all = await chat({ protocol: 'live' })
    const { account, admin, ctx, open } = all
    const again = { account_id: account.amojo_id, hook_api_version: 'v2' }
    expect((await open.call('POST', `/${open.channel.id}/connect`, again)).status).toBe(200)
    const { id } = await write(all, 'Hi')
    await all.app.deliveries.runDue()
    const me = await ctx.db
      .selectFrom('users')
      .select('amojo_id')
      .where('id', '=', admin.id)
      .executeTakeFirst()
    const { sender } = (await admin.browser.get(all.path)).body
    expect(bodies(all)).toEqual([
      JSON.stringify({
        account_id: account.amojo_id,
        time: ctx.now(),
        message: {
          receiver: { id: sender.id, phone: '', email: '', client_id: 's-ann', name: 'ann' },
          sender: { id: me?.amojo_id, name: 'Ada' },
          conversation: { id: all.id, client_id: 'c-ann' },
          timestamp: ctx.now(),
          msec_timestamp: ctx.clock(),
          message: {
            id,
            type: 'text',
            text: 'Hi',
            markup: null,
            tag: '',
            media: '',
            thumbnail: '',
            file_name: '',
            file_size: 0,
          },
        },
      }),
    ])
  })

  test('is sent to the callback URL and signed with the secret that are valid at the attempt', async () => {
    const all = await chat()
    const { admin, open } = all
    open.there.answer = (_request, response) => response.writeHead(500).end()
    await write(all, 'Hi')
    await all.app.deliveries.runDue()
    const other = await line(all as World)
    open.there.answer = (_request, response) => response.end()
    const patched = await admin.browser.patch(`/web/channels/${open.channel.id}`, {
      callback_url: `${other.there.url}/moved/:scope_id`,
    })
    expect(patched.status).toBe(200)
    const rotated = await admin.browser.post(`/web/channels/${open.channel.id}/secret`, {
      overlap_seconds: 0,
    })
    expect(rotated.status).toBe(200)
    all.clock.advance(10)
    await all.app.deliveries.runDue()
    const [first] = open.there.received
    const [second] = other.there.received
    expect(open.there.received.length).toBe(1)
    expect(second?.path).toBe(`/moved/${open.scope_id}`)
    expect([second?.body, second?.headers['webhook-attempt']]).toEqual([first?.body, '2'])
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(rotated.body.secret).not.toBe(open.channel.secret)
    expect(second?.headers['x-signature']).toBe(signatureOf(rotated.body.secret, second?.body as string))
  })

  test('is signed with the old secret while the provider has not used the new one', async () => {
    const all = await chat()
    const { open } = all
    await write(all, 'one')
    const path = `/web/channels/${open.channel.id}/secret`
    const rotated = (await all.admin.browser.post(path, { overlap_seconds: 3600 })).body
    await all.app.deliveries.runDue()
    const proof = () => {
      const last = open.there.received.at(-1)
      return [last?.headers['x-signature'], last?.body] as [string, string]
    }
    expect(proof()[0]).toBe(signatureOf(open.channel.secret, proof()[1]))
    all.clock.advance(3601)
    await write(all, 'two')
    await all.app.deliveries.runDue()
    expect(proof()[0]).toBe(signatureOf(rotated.secret, proof()[1]))
  })

  test('waits for the one before it in its chat, and for no other chat', async () => {
    const all = await chat()
    const second = await all.open.write('bob')
    let isDown = true
    all.open.there.answer = ({ body }, response) =>
      response.writeHead(isDown && JSON.parse(body).receiver === 's-ann' ? 503 : 200).end()
    for (const text of ['a1', 'a2', 'a3']) await write(all, text)
    await all.admin.browser.post(`/web/v4/chats/${second}/messages`, { text: 'b1' })
    await all.app.deliveries.runDue()
    expect(texts(all).toSorted()).toEqual(['a1', 'b1'])
    isDown = false
    all.clock.advance(10)
    await all.app.deliveries.runDue()
    expect(texts(all).slice(2)).toEqual(['a1', 'a2', 'a3'])
  })

  test('in progress shows no next attempt', async () => {
    const all = await chat()
    all.open.there.answer = (_request, response) => response.writeHead(500).end()
    await write(all, 'one')
    for (const seconds of [0, 60, 60, 300, 900]) {
      all.clock.advance(seconds)
      await all.app.deliveries.runDue()
    }
    const path = `/web/v4/chats/${await all.open.write('bob')}`
    const paused = await write({ ...all, path }, 'two')
    await all.app.deliveries.runDue()
    const shown = await messageOf({ ...all, path }, paused.id)
    expect([shown.state, shown.attempts, shown.next_attempt_at]).toEqual(['pending', 0, null])
  })

  test('shows its next attempt while it waits; the one behind it does not', async () => {
    const all = await chat()
    all.open.there.answer = (_request, response) => response.writeHead(500).end('down')
    const first = await write(all, 'one')
    const second = await write(all, 'two')
    await all.app.deliveries.runDue()
    const shown = await messageOf(all, first.id)
    expect([shown.state, shown.attempts, shown.error]).toEqual(['pending', 1, null])
    expect(shown.next_attempt_at).toBeGreaterThan(all.ctx.now())
    expect((await messageOf(all, second.id)).next_attempt_at).toBe(null)
    const attempts = await all.admin.browser.get(`${all.path}/messages/${first.id}/attempts`)
    const [{ duration_ms, ...attempt }] = attempts.body._embedded.attempts
    expect(duration_ms).toBeGreaterThanOrEqual(0)
    expect(attempt).toEqual({
      ...{ attempt: 1, at: all.ctx.now(), status: 500, error: null, answer: 'down' },
      request_id: expect.any(String),
    })
  })
})

describe('A refused message', () => {
  /** Refused three times, so that it has failed. */
  async function failed() {
    const all = await chat()
    all.open.there.answer = (_request, response) => response.writeHead(422).end('no')
    const message = await write(all, 'Hi')
    for (let i = 0; i < 3; i++) {
      await all.app.deliveries.runDue()
      all.clock.advance(60)
    }
    return { ...all, message }
  }

  test('fails with its reason after three refusals, and can be sent again with the same webhook-id', async () => {
    const all = await failed()
    const before = await messageOf(all, all.message.id)
    expect([before.state, before.error, before.error_code, before.attempts]).toEqual([
      'failed',
      'refused',
      null,
      3,
    ])
    all.open.there.answer = (_request, response) => response.end()
    const again = await all.admin.browser.post(`${all.path}/messages/${all.message.id}/send_again`)
    expect([again.status, again.body]).toEqual([
      200,
      { ...before, state: 'pending', error: null, attempts: 0, next_attempt_at: all.ctx.now() },
    ])
    await all.app.deliveries.runDue()
    const { received } = all.open.there
    expect(received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3', '4'])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect((await messageOf(all, all.message.id)).state).toBe('delivered')
    const attempts = await all.admin.browser.get(`${all.path}/messages/${all.message.id}/attempts`)
    const statuses = attempts.body._embedded.attempts.map(({ status }: { status: number }) => status)
    expect(statuses).toEqual([422, 422, 422, 200])
  })

  test('does not block the next ones', async () => {
    const all = await failed()
    all.open.there.answer = (_request, response) => response.end()
    await write(all, 'next')
    await all.app.deliveries.runDue()
    expect(texts(all).at(-1)).toBe('next')
  })

  test('cannot be sent again unless it failed', async () => {
    const all = await chat()
    const { id } = await write(all, 'Hi')
    const again = () => all.admin.browser.post(`${all.path}/messages/${id}/send_again`)
    const refused = await again()
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'Only a message that has failed can be sent again',
    ])
    await all.app.deliveries.runDue()
    expect((await again()).status).toBe(409)
    expect(all.open.there.received.length).toBe(1)
  })

  test('is tried once if the channel is set to once', async () => {
    const all = await chat({ delivery: 'once' })
    all.open.there.answer = (_request, response) => response.writeHead(500).end()
    const { id } = await write(all, 'Hi')
    await all.app.deliveries.runDue()
    all.clock.advance(86_400)
    const shown = await messageOf(
      { ...all, admin: { ...all.admin, browser: await all.signIn(all.admin) } },
      id,
    )
    expect([shown.state, shown.error, shown.attempts]).toEqual(['failed', 'exhausted', 1])
    expect(all.open.there.received.length).toBe(1)
  })

  test('that the provider accepted and later reported as failed is sent again as a new one', async () => {
    const all = await chat()
    const { id } = await write(all, 'Hi')
    await all.app.deliveries.runDue()
    const report = { msgid: id, status_code: -1, error_code: 905, error: 'blocked' }
    const path = `/${all.open.scope_id}/${id}/delivery_status`
    expect((await all.open.call('POST', path, report)).status).toBe(200)
    const shown = await messageOf(all, id)
    expect([shown.state, shown.error_code, shown.error]).toEqual(['failed', 905, 'blocked'])
    const again = await all.admin.browser.post(`${all.path}/messages/${id}/send_again`)
    expect([again.status, again.body.state, again.body.error_code]).toEqual([200, 'pending', null])
    await all.app.deliveries.runDue()
    const [first, second] = all.open.there.received
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-id']).not.toBe(first?.headers['webhook-id'])
  })
})

describe('A channel that ends', () => {
  test('because its callback answers 410 is stopped, and its pending messages fail', async () => {
    const all = await chat()
    const second = await all.open.write('bob')
    const bob = { ...all, path: `/web/v4/chats/${second}` }
    all.open.there.answer = (_request, response) => response.writeHead(410).end()
    const first = await write(all, 'one')
    const behind = await write(all, 'two')
    await all.app.deliveries.runDue()
    for (const { id } of [first, behind]) {
      const { state, error } = await messageOf(all, id)
      expect([state, error]).toEqual(['failed', 'gone'])
    }
    expect(all.open.there.received.length).toBe(1)
    const refused = await all.admin.browser.post(`${bob.path}/messages`, { text: 'three' })
    expect([refused.status, refused.body.type.split('#')[1]]).toEqual([409, 'channel_closed'])
    const again = await all.admin.browser.post(`${all.path}/messages/${first.id}/send_again`)
    expect([again.status, again.body.type.split('#')[1]]).toEqual([409, 'channel_closed'])
    expect((await all.admin.browser.get(bob.path)).body.channel.state).toBe('stopped')
    expect((await all.admin.browser.get(`${bob.path}/messages`)).body._embedded.messages.length).toBe(1)
  })

  test('because the account was disconnected accepts nothing, and its pending messages fail', async () => {
    const all = await chat()
    const { id } = await write(all, 'Hi')
    const gone = await all.open.call('POST', `/${all.open.channel.id}/disconnect`, {
      account_id: all.account.amojo_id,
    })
    expect(gone.status).toBe(200)
    await all.app.deliveries.runDue()
    expect(all.open.there.received).toEqual([])
    const { state, error } = await messageOf(all, id)
    expect([state, error]).toEqual(['failed', 'disconnected'])
    const refused = await all.admin.browser.post(`${all.path}/messages`, { text: 'three' })
    expect([refused.status, refused.body.type.split('#')[1]]).toEqual([409, 'channel_closed'])
    const { channel } = (await all.admin.browser.get(all.path)).body
    expect(channel).toEqual({
      id: all.open.channel.id,
      name: 'Messenger',
      state: 'disconnected',
      has_actions: false,
    })
  })
})
