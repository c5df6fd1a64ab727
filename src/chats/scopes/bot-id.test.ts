import { describe, expect, test } from 'vitest'
import { connected } from '../../../test/fixtures/chats.ts'
import { customer, storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { world } from '../../../test/world.ts'

async function shop() {
  const w = await world()
  const here = await connected(w, { protocol: 'live' })
  const connect = { account_id: w.account.amojo_id }
  const bot_id: string = (await here.call('POST', `/${here.channel.id}/connect`, connect)).body.bot_id
  return { w, here, bot_id }
}

describe('The bot of a channel', () => {
  test('has its own id, which connecting and the settings show', async () => {
    const { w, here, bot_id } = await shop()
    expect(bot_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect((await w.admin.browser.get(`/web/channels/${here.channel.id}`)).body.bot_id).toBe(bot_id)
    const other = await connected(w)
    expect((await w.admin.browser.get(`/web/channels/${other.channel.id}`)).body.bot_id).not.toBe(bot_id)
  })

  test('is accepted as the sender of a message, which stays unread and is shown as its own', async () => {
    const { w, here, bot_id } = await shop()
    await here.push(textPush('m-1'))
    const bot = { id: 'bot', name: 'Robot', ref_id: bot_id }
    const { status, body } = await here.push(textPush('m-2', { sender: bot, receiver: customer() }))
    const { conversation_id } = body.new_message
    expect([status, body.new_message.sender_id]).toEqual([200, bot_id])
    const rows = await storedMessages(w.ctx)
    expect(rows.map(({ direction, state }) => [direction, state])).toEqual([
      ['in', 'received'],
      ['out', 'delivered'],
    ])
    const chat = await w.admin.browser.get(`/web/v4/chats/${conversation_id}`)
    expect(chat.body).toMatchObject({ is_read: false, unread_count: 1 })
    const { body: page } = await w.admin.browser.get(`/web/v4/chats/${conversation_id}/messages?limit=1`)
    expect(page._embedded.messages[0].author).toEqual({ type: 'bot', id: null, name: 'Bot' })
    const history = await here.call('GET', `/${here.scope_id}/chats/c-1/history?limit=1`)
    expect(history.body.messages[0].sender).toEqual({ id: bot_id, name: 'Bot' })
  })

  test('of another channel is unknown', async () => {
    const { w, here, bot_id } = await shop()
    const other = await connected(w, { protocol: 'live' })
    const bot = { id: 'bot', name: 'Robot', ref_id: bot_id }
    const { status, body } = await other.push(textPush('m-1', { sender: bot, receiver: customer() }))
    expect([status, body.errors[0].path]).toEqual([400, 'payload.sender.ref_id'])
    expect(here.channel.id).not.toBe(other.channel.id)
  })

  test('reacts to a message', async () => {
    const { w, here, bot_id } = await shop()
    const { msgid, conversation_id } = (await here.push(textPush('m-1'))).body.new_message
    const reaction = {
      conversation_id: 'c-1',
      id: msgid,
      user: { ref_id: bot_id },
      type: 'react',
      emoji: '👍',
    }
    expect((await here.call('POST', `/${here.scope_id}/react`, reaction)).status).toBe(200)
    const { body } = await w.admin.browser.get(`/web/v4/chats/${conversation_id}/messages`)
    expect(body._embedded.messages[0].reactions).toEqual([
      { emoji: '👍', author: { type: 'bot', id: null, name: 'Bot' } },
    ])
  })
})
