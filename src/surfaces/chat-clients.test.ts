import { createHash, createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CHATS, type Connected, connected, send } from '../../test/fixtures/chats.ts'
import { customer, storedMessages, textPush } from '../../test/fixtures/pushes.ts'
import { type World, world } from '../../test/world.ts'
import { botIdOf } from '../chats/scopes/scopes.ts'

/** Signs the body of any method in the newer scheme, as clients with one function for all requests do. */
function signedWith({ ctx }: World, { channel }: Connected, method: string, url: string, body: string) {
  const digest = createHash('md5').update(body).digest('hex')
  const date = new Date(ctx.clock()).toUTCString().replace('GMT', '+0000')
  const lines = [method, digest, 'application/json', date, url.split('?', 1)[0]].join('\n')
  return {
    date,
    'content-type': 'application/json',
    'content-md5': digest,
    'x-signature': createHmac('sha1', channel.secret).update(lines).digest('hex'),
  }
}

describe('Public clients of the chat API', () => {
  test('read the history with an empty list as the body of the GET, and sign it', async () => {
    const w = await world()
    const here = await connected(w)
    await here.push(textPush('m-1'))
    const url = `${CHATS}/${here.scope_id}/chats/c-1/history?limit=1`
    const read = (body: string, signed = body) =>
      send(w, 'GET', url, body, signedWith(w, here, 'GET', url, signed))
    const answer = await read('[]')
    expect([answer.status, answer.body?.messages?.length]).toEqual([200, 1])
    // The body is never read, but the signature covers it.
    expect((await read('{')).status).toBe(200)
    expect((await read('[1]', '[]')).body.error_type).toBe('ORIGIN_INVALID_SIGNATURE')
    expect((await read('', '[]')).body.error_type).toBe('ORIGIN_INVALID_SIGNATURE')
    expect((await read(' '.repeat(70_000))).body.error_type).toBe('ORIGIN_INVALID_SIGNATURE')
  })

  test('write the time of a message in milliseconds, in the protocol live', async () => {
    const w = await world()
    const live = await connected(w, { protocol: 'live' })
    const push = textPush('m-1', { timestamp: 1_772_366_000_123 })
    expect((await live.push(push)).status).toBe(200)
    expect((await live.push(push)).status).toBe(200)
    const stored = await storedMessages(w.ctx)
    expect(stored.map(({ sent_at }) => sent_at)).toEqual([1_772_366_000])
    const spec = await connected(w)
    const refused = await spec.push(push)
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'payload.timestamp'])
  })

  test('name a person once, and later by the id alone, in the protocol live', async () => {
    const w = await world()
    const live = await connected(w, { protocol: 'live' })
    const chats = `/${live.scope_id}/chats`
    await live.call('POST', chats, { conversation_id: 'c-1', user: { id: 's-1', name: 'Sue' } })
    const by = (sender: object, rest: object = {}) =>
      live.push(textPush(randomUUID(), { sender, receiver: undefined, ...rest }))
    const followUp = await by({ id: 's-1' })
    expect([followUp.status, followUp.body.errors]).toEqual([200, undefined])
    const bot = { ref_id: botIdOf(live.channel.id), name: 'Bot' }
    const outgoing = await by(bot, { receiver: { id: 's-1' } })
    expect(outgoing.body.new_message?.receiver_id).toBe(followUp.body.new_message.sender_id)
    const senders = await w.ctx.db.selectFrom('chat_senders').selectAll().execute()
    expect(senders).toMatchObject([{ external_id: 's-1', name: 'Sue' }])
    // Nobody has named these people yet.
    for (const [sender, receiver, path] of [
      [{ id: 's-2' }, undefined, 'payload.sender.name'],
      [bot, { id: 's-2' }, 'payload.receiver.name'],
    ] as const) {
      const { status, body } = await by(sender, { receiver })
      expect([status, body.errors[0]]).toEqual([400, expect.objectContaining({ path, code: 'FieldMissing' })])
    }
  })

  test('read the duration of a voice message from the history', async () => {
    const w = await world()
    const here = await connected(w, { protocol: 'live' })
    const sender = customer({ avatar: undefined })
    const voice = { type: 'voice', media: 'https://cdn.example/v.ogg', media_duration: 3 }
    await here.push(textPush('m-1', { sender }))
    await here.push(textPush('m-2', { sender, message: voice }))
    const { body } = await here.call('GET', `/${here.scope_id}/chats/c-1/history`)
    const durations = body.messages.map(({ message }: { message: object }) => 'media_duration' in message)
    expect(durations).toEqual([true, false])
    expect(body.messages[0].message.media_duration).toBe(3)
  })

  test('write null for each member that may be absent, also in a connection and while somebody types', async () => {
    const w = await world()
    const live = await connected(w, { protocol: 'live' })
    const nothing = { title: null, hook_api_version: null, is_time_window_disabled: null }
    const account_id = live.scope_id.split('_')[1]
    const again = await live.call('POST', `/${live.channel.id}/connect`, { account_id, ...nothing })
    expect([again.status, again.body.hook_api_version, again.body.is_time_window_disabled]).toEqual([
      ...[200, 'v1', false],
    ])
    await live.push(textPush('m-1'))
    const typing = { conversation_id: 'c-1', sender: { id: 's-1', ref_id: null }, duration_ms: null }
    expect((await live.call('POST', `/${live.scope_id}/typing`, typing)).status).toBe(204)
    const [row] = await w.ctx.db.selectFrom('conversations').select('typing_until').execute()
    expect(row?.typing_until).toBe(Math.ceil(w.ctx.clock() / 1000) + 5)
  })
})
