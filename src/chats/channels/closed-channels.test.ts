import { describe, expect, test } from 'vitest'
import { line } from '../../../test/fixtures/conversations.ts'
import { receiver } from '../../../test/programs/receiver.ts'
import { world } from '../../../test/world.ts'
import { deleteExpiredDeliveries } from '../../outbound/delivery-queries.ts'
import { lockConversation } from '../conversations/conversation-queries.ts'
import { sendMessage } from '../messages/send.ts'

async function chats(count: number) {
  const all = await world()
  const open = await line(all)
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await open.write(`who-${i}`))
  return { ...all, open, ids, browser: all.admin.browser }
}

describe('While a channel is being stopped', () => {
  test.each([1, 2, 3])('new messages are refused or fail; none stays pending (%i)', async () => {
    const all = await chats(8)
    all.open.there.answer = (_request, response) => response.writeHead(410).end()
    const write = (id: string) => all.browser.post(`/web/v4/chats/${id}/messages`, { text: 'Hi' })
    const first = await Promise.all(all.ids.slice(0, 4).map(write))
    const [, ...answers] = await Promise.all([
      all.app.deliveries.runDue(),
      ...all.ids.flatMap((id) => [write(id), write(id)]),
    ])
    await all.app.deliveries.runDue()
    const statuses = [...first, ...answers].map(({ status }) => status)
    // A push that meets the request that stops the channel gets 503 and can be repeated.
    expect(statuses.filter((status) => ![200, 409, 503].includes(status))).toEqual([])
    const messages = await all.ctx.db
      .selectFrom('chat_messages')
      .select(['state', 'error'])
      .where('direction', '=', 'out')
      .execute()
    expect(messages.length).toBe(statuses.filter((status) => status === 200).length)
    expect(messages.filter(({ state, error }) => state !== 'failed' || error !== 'gone')).toEqual([])
    const waiting = await all.ctx.db
      .selectFrom('deliveries')
      .select('id')
      .where('ended_at', 'is', null)
      .execute()
    expect(waiting).toEqual([])
    expect((await write(all.ids[0] as string)).status).toBe(409)
  })

  test('messages written while an account disconnects are refused or fail', async () => {
    const all = await chats(6)
    const write = (id: string) => all.browser.post(`/web/v4/chats/${id}/messages`, { text: 'Hi' })
    const disconnect = { account_id: all.account.amojo_id }
    const [gone, ...answers] = await Promise.all([
      all.open.call('DELETE', `/${all.open.channel.id}/disconnect`, disconnect),
      ...all.ids.map(write),
    ])
    expect(gone.status).toBe(200)
    expect(answers.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([])
    await all.app.deliveries.runDue()
    expect(all.open.there.received).toEqual([])
    const messages = await all.ctx.db
      .selectFrom('chat_messages')
      .select(['state', 'error'])
      .where('direction', '=', 'out')
      .execute()
    expect(messages.filter(({ state }) => state !== 'failed')).toEqual([])
  })
})

describe('In a closed channel', () => {
  test('chats can be read but not written if the channel was deleted', async () => {
    const all = await chats(1)
    const path = `/web/v4/chats/${all.ids[0]}`
    const waiting = (await all.browser.post(`${path}/messages`, { text: 'Hi' })).body
    expect((await all.browser.delete(`/web/channels/${all.open.channel.id}`)).status).toBe(204)
    await all.app.deliveries.runDue()
    expect(all.open.there.received).toEqual([])
    const { channel, last_message } = (await all.browser.get(path)).body
    expect(channel).toEqual({
      id: all.open.channel.id,
      name: 'Messenger',
      state: 'deleted',
      has_actions: false,
    })
    expect([last_message.id, last_message.state]).toEqual([waiting.id, 'failed'])
    const refused = await all.browser.post(`${path}/messages`, { text: 'Hi' })
    expect([refused.status, refused.body.type.split('#')[1]]).toEqual([409, 'channel_closed'])
    expect((await all.browser.get(`${path}/messages`)).body._embedded.messages.length).toBe(2)
  })

  test('an answer of the bot is stored as failed, and can be sent when the channel is open again', async () => {
    const all = await chats(1)
    const [id] = all.ids as [string]
    const { channel } = all.open
    await all.open.call('DELETE', `/${channel.id}/disconnect`, { account_id: all.account.amojo_id })
    const by = { account_id: all.account.id, user_id: 0, request_id: 'r' }
    await all.ctx.db.transaction().execute(async (tx) => {
      const conversation = await lockConversation(tx, all.account.id, id)
      if (!conversation) throw new Error('no chat')
      await sendMessage(all.ctx, tx, by, conversation, { text: 'We are open', origin: 'bot' })
    })
    const last = async () =>
      (await all.browser.get(`/web/v4/chats/${id}/messages`)).body._embedded.messages[0]
    const { id: message_id, state, error, author, attempts } = await last()
    expect([state, error, attempts, author]).toEqual([
      'failed',
      'disconnected',
      0,
      { type: 'bot', id: null, name: 'Bot' },
    ])
    const again = () => all.browser.post(`/web/v4/chats/${id}/messages/${message_id}/send_again`)
    expect((await again()).status).toBe(409)
    await all.open.call('POST', `/${channel.id}/connect`, { account_id: all.account.amojo_id })
    expect((await again()).status).toBe(200)
    await all.app.deliveries.runDue()
    expect(JSON.parse(all.open.there.received[0]?.body as string).text).toBe('We are open')
    expect((await last()).state).toBe('delivered')
  })
})

describe('A failed message whose delivery was deleted', () => {
  test('is sent again with the same text', async () => {
    const all = await chats(1)
    const path = `/web/v4/chats/${all.ids[0]}/messages`
    all.open.there.answer = (_request, response) => response.writeHead(422).end()
    const { id } = (await all.browser.post(path, { text: 'Hi' })).body
    for (let i = 0; i < 3; i++) {
      await all.app.deliveries.runDue()
      all.clock.advance(60)
    }
    all.clock.advance(31 * 86_400)
    expect(await deleteExpiredDeliveries(all.ctx.db, all.ctx.now())).toBe(1)
    const browser = await all.signIn(all.admin)
    all.open.there.answer = (_request, response) => response.end()
    const again = await browser.post(`${path}/${id}/send_again`)
    expect([again.status, again.body.state, again.body.attempts]).toEqual([200, 'pending', 0])
    await all.app.deliveries.runDue()
    const bodies = all.open.there.received.map(({ body }) => body)
    expect([bodies.length, new Set(bodies).size]).toEqual([4, 1])
  })
})

test('messages that wait for a callback that does not answer go to its new address at once', async () => {
  const all = await chats(24)
  all.open.there.answer = (_request, response) => response.writeHead(500).end()
  for (const id of all.ids) await all.browser.post(`/web/v4/chats/${id}/messages`, { text: 'Hi' })
  await all.app.deliveries.runDue()
  const at = `/web/channels/${all.open.channel.id}`
  expect((await all.browser.get(at)).body.health).toMatchObject({ opens_at: expect.any(Number), waiting: 24 })
  const there = await receiver()
  const moved = await all.browser.patch(at, { callback_url: `${there.url}/moved` })
  expect(moved.body.health).toMatchObject({ failures: 0, failing_since: null, opens_at: null })
  await all.app.deliveries.runDue()
  expect(there.received.length).toBeGreaterThan(2)
  all.clock.advance(60)
  await all.app.deliveries.runDue()
  expect([there.received.length, (await all.browser.get(at)).body.health.waiting]).toEqual([24, 0])
})
