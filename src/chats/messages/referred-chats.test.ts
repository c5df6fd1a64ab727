import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { connected } from '../../../test/fixtures/chats.ts'
import { customer, storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { type World, world } from '../../../test/world.ts'

/** As a client of the live service names a chat: by our id, beside a name of its own that nobody knows. */
const referring = (msgid: string, conversation_ref_id: string) =>
  textPush(msgid, {
    conversation_id: randomUUID(),
    conversation_ref_id,
    sender: customer({ id: randomUUID() }),
  })

async function opened(protocol: 'spec' | 'live') {
  const here = await world()
  const channel = await connected(here, { protocol })
  const chat = (await channel.push(textPush('first'))).body.new_message.conversation_id as string
  const homeOf = async (conversation_ref_id: string) => {
    const answer = await channel.push(referring(randomUUID(), conversation_ref_id))
    expect(answer.status).toBe(200)
    return answer.body.new_message.conversation_id as string
  }
  return { here, channel, chat, homeOf }
}

describe('A push that names its chat by our id (conversation_ref_id)', () => {
  test('goes into that chat, under any id of the provider', async () => {
    const { here, chat, homeOf } = await opened('live')
    expect([await homeOf(chat), await homeOf(chat)]).toEqual([chat, chat])
    const messages = await storedMessages(here.ctx)
    expect(messages.map(({ conversation_id, position }) => [conversation_id, position])).toEqual([
      [chat, 1],
      [chat, 2],
      [chat, 3],
    ])
  })

  test('opens a new chat if the channel has none with this id', async () => {
    const { here, chat, homeOf } = await opened('live')
    const other = await connected(here, { protocol: 'live' })
    const foreign = (await other.push(textPush('first'))).body.new_message.conversation_id
    const abroad = await here.addAccount('abroad')
    const by = await here.addPerson({ account: abroad, is_admin: true, name: 'Abe' })
    const theirs = await connected(here, { protocol: 'live', by })
    const far = (await theirs.push(textPush('first'))).body.new_message.conversation_id
    const taken = [chat, foreign, far]
    for (const ref of [foreign, far, randomUUID(), 'none']) {
      const home = await homeOf(ref)
      expect(taken).not.toContain(home)
      taken.push(home)
    }
  })

  test('ignores that id in the protocol spec, which does not have it', async () => {
    const { chat, homeOf } = await opened('spec')
    expect(await homeOf(chat)).not.toBe(chat)
  })
})

describe('A push that names people and the chat by our ids alone', () => {
  const amojoIdOf = async ({ admin }: World) =>
    (await admin.browser.get(`/web/v4/users/${admin.id}?with=amojo_id`)).body.amojo_id as string
  const bare = (change: object) => ({
    timestamp: 1_772_366_000,
    msgid: randomUUID(),
    message: { type: 'text', text: 'Hi' },
    ...change,
  })

  test('is of the known customer, who keeps their id and name', async () => {
    const { here, channel } = await opened('live')
    const { conversation_id, sender_id } = (await channel.push(textPush('first'))).body.new_message
    const alone = await channel.push(
      bare({ conversation_ref_id: conversation_id, sender: { ref_id: sender_id } }),
    )
    const beside = { id: randomUUID(), ref_id: sender_id, name: 'Unknown' }
    const named = await channel.push(textPush('third', { sender: beside }))
    for (const { status, body } of [alone, named])
      expect([status, body.new_message]).toEqual([
        200,
        expect.objectContaining({ conversation_id, sender_id, receiver_id: null }),
      ])
    const senders = await here.ctx.db.selectFrom('chat_senders').selectAll().execute()
    expect(senders).toMatchObject([{ external_id: 's-1', name: 'Unknown' }])
  })

  test('is written for the account, to a customer without a name', async () => {
    const { here, channel } = await opened('live')
    const { conversation_id, sender_id } = (await channel.push(textPush('first'))).body.new_message
    const ref_id = await amojoIdOf(here)
    const answer = await channel.push(
      bare({
        conversation_ref_id: conversation_id,
        sender: { ref_id },
        receiver: { ref_id: sender_id },
      }),
    )
    expect([answer.status, answer.body.new_message]).toEqual([
      200,
      expect.objectContaining({ conversation_id, sender_id: ref_id, receiver_id: sender_id }),
    ])
  })

  test.each<[string, object, string]>([
    ['an unknown chat', { conversation_ref_id: randomUUID() }, 'payload.conversation_ref_id'],
    ['no chat', {}, 'payload.conversation_id'],
    [
      'an unknown sender',
      { conversation_id: 'c-1', sender: { ref_id: randomUUID() } },
      'payload.sender.ref_id',
    ],
    ['a sender without an id', { conversation_id: 'c-1', sender: { name: 'Sue' } }, 'payload.sender.id'],
    ['a sender without a name', { conversation_id: 'c-1', sender: { id: 's-2' } }, 'payload.sender.name'],
  ])('is refused with %s', async (_name, change, path) => {
    const { channel } = await opened('live')
    const { status, body } = await channel.push(bare({ sender: customer(), ...change }))
    expect([status, body.errors.map((fault: { path: string }) => fault.path)]).toEqual([400, [path]])
  })

  test('is not of a customer of another channel', async () => {
    const { here, channel } = await opened('live')
    const other = await connected(here, { protocol: 'live' })
    const { sender_id } = (await other.push(textPush('first'))).body.new_message
    const { status, body } = await channel.push(textPush('second', { sender: { ref_id: sender_id } }))
    expect([status, body.errors[0].path]).toEqual([400, 'payload.sender.ref_id'])
  })

  test('is refused in the protocol spec, which requires the ids of the provider', async () => {
    const { channel } = await opened('spec')
    const { status, body } = await channel.push(bare({ sender: customer() }))
    expect([status, body.errors[0].path]).toEqual([400, 'payload.conversation_id'])
    expect(body.error_description).not.toContain('live')
  })
})
