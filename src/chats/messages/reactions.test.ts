import { describe, expect, test } from 'vitest'
import { CHATS, type Connected, connected, send, signed } from '../../../test/fixtures/chats.ts'
import { chatTraces, customer, textPush } from '../../../test/fixtures/pushes.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'

interface Chatting {
  w: World
  here: Connected
  chat_id: string
  /** The id of `m-1` here. */
  message_id: string
  sender_id: string
}

async function chatting(): Promise<Chatting> {
  const w = await world()
  const here = await connected(w)
  const { body } = await here.push(textPush('m-1'))
  const { conversation_id: chat_id, msgid: message_id, sender_id } = body.new_message
  return { w, here, chat_id, message_id, sender_id }
}

const shownChat = async ({ w, chat_id }: Chatting) =>
  (await w.admin.browser.get(`/web/v4/chats/${chat_id}`)).body

/** Asks the same of another scope, and with another secret. */
async function outsiders({ w, here }: Chatting, method: string, body: object): Promise<unknown[]> {
  const text = JSON.stringify(body)
  const at = (scope_id: string) => `${CHATS}/${scope_id}/${method}`
  const forged = await send(w, 'POST', at(here.scope_id), text, signed('0'.repeat(80), text))
  const unconnected = at(here.scope_id.replace(/.{4}$/, '0000'))
  const lost = await send(w, 'POST', unconnected, text, signed(here.channel.secret, text))
  return [forged, lost].map((answer) => [answer.status, answer.body.error_type])
}
const kept_out = [
  [403, 'ORIGIN_INVALID_SIGNATURE'],
  [404, 'ACCOUNT_NOT_CONNECTED'],
]

const pathsOf = (answer: { body: { errors: { path: string }[] } }) =>
  answer.body.errors.map(({ path }) => path).sort()

describe('The typing indicator', () => {
  const typing = { conversation_id: 'c-1', sender: { id: 's-1' } }
  const type = ({ here }: Chatting, body: object) => here.call('POST', `/${here.scope_id}/typing`, body)

  test.each([
    [{}, BEGINNING + 5],
    [{ duration_ms: 1 }, BEGINNING + 1],
    [{ duration_ms: 12_001 }, BEGINNING + 13],
    [{ duration_ms: 60_000 }, BEGINNING + 60],
    [{ duration_ms: Number.MAX_SAFE_INTEGER }, BEGINNING + 60],
    [{ duration_ms: 0 }, null],
  ])('with %j is shown in the chat until %j', async (more, until) => {
    const of = await chatting()
    const answer = await type(of, { ...typing, ...more })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await shownChat(of)).typing_until).toBe(until)
  })

  test('ends when the provider says so, or with a message', async () => {
    const of = await chatting()
    await type(of, typing)
    const { version } = await shownChat(of)
    await type(of, typing)
    expect((await shownChat(of)).version).toBe(version)
    await type(of, { ...typing, duration_ms: 0 })
    expect(await shownChat(of)).toMatchObject({ version: version + 1, typing_until: null })
    await type(of, typing)
    await of.here.push(textPush('m-2'))
    expect((await shownChat(of)).typing_until).toBeNull()
  })

  test('is accepted without a chat, or for a chat of another channel, and shown nowhere', async () => {
    const of = await chatting()
    const other = await connected(of.w)
    expect((await type({ ...of, here: other }, typing)).status).toBe(204)
    expect((await type(of, { ...typing, conversation_id: 'c-2' })).status).toBe(204)
    expect((await shownChat(of)).typing_until).toBeNull()
    expect(await chatTraces(of.w.ctx)).toMatchObject({ conversations: 1 })
  })

  test.each<[string, object, string[]]>([
    ['nothing', {}, ['conversation_id', 'sender']],
    [
      'members of wrong types',
      { conversation_id: 1, sender: { id: 2 }, duration_ms: '3' },
      ['conversation_id', 'duration_ms', 'sender.id'],
    ],
    ['a time that is none', { ...typing, duration_ms: -1 }, ['duration_ms']],
    ['half a millisecond', { ...typing, duration_ms: 0.5 }, ['duration_ms']],
  ])('is refused with %s', async (_name, body, paths) => {
    const of = await chatting()
    const answer = await type(of, body)
    expect([answer.status, pathsOf(answer)]).toEqual([400, paths])
    expect((await shownChat(of)).typing_until).toBeNull()
  })

  test('requires the signature of the channel and an existing scope', async () => {
    const of = await chatting()
    expect(await outsiders(of, 'typing', typing)).toEqual(kept_out)
    expect((await shownChat(of)).typing_until).toBeNull()
  })
})

describe('A reaction', () => {
  const heart = { conversation_id: 'c-1', msgid: 'm-1', user: { id: 's-1' }, type: 'react', emoji: '😍' }
  const react = ({ here }: Chatting, body: object) => here.call('POST', `/${here.scope_id}/react`, body)

  async function shown({ w, chat_id, message_id }: Chatting, id = message_id) {
    const { body } = await w.admin.browser.get(`/web/v4/chats/${chat_id}/messages`)
    return body._embedded.messages.find((one: { id: string }) => one.id === id).reactions
  }

  test('is set, changed and removed; the stream announces each change once', async () => {
    const of = await chatting()
    const author = { type: 'sender', id: of.sender_id, name: 'Sue Brook' }
    const { version } = await shownChat(of)
    const steps: [change: object, after: object[], changes: number][] = [
      [{}, [{ emoji: '😍', author }], 1],
      [{}, [{ emoji: '😍', author }], 1],
      [{ emoji: '👍' }, [{ emoji: '👍', author }], 2],
      [{ type: 'unreact' }, [{ emoji: '👍', author }], 2],
      [{ type: 'unreact', emoji: undefined }, [], 3],
      [{ type: 'unreact', emoji: null }, [], 3],
      [{ type: 'unreact', emoji: '' }, [], 3],
      [
        { id: null, conversation_ref_id: null, user: { id: 's-1', ref_id: null } },
        [{ emoji: '😍', author }],
        4,
      ],
      [{ type: 'unreact' }, [], 5],
    ]
    for (const [change, after, changes] of steps) {
      const answer = await react(of, { ...heart, ...change })
      expect([answer.status, answer.text]).toEqual([200, ''])
      expect(await shown(of)).toEqual(after)
      expect((await shownChat(of)).version - version).toBe(changes)
    }
  })

  test('names its message, chat and author by our ids or by the provider’s', async () => {
    const of = await chatting()
    const { w } = of
    const { body: written } = await w.admin.browser.post(`/web/v4/chats/${of.chat_id}/messages`, {
      text: 'Yes',
    })
    const { body: ada } = await w.admin.browser.get(`/web/v4/users/${w.admin.id}?with=amojo_id`)
    const named = { conversation_ref_id: of.chat_id, type: 'react', emoji: '😍' }
    const answers = [
      await react(of, { ...named, id: written.id, user: { ref_id: of.sender_id } }),
      await react(of, { ...named, id: of.message_id, user: { id: 'm-app', ref_id: ada.amojo_id } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await shown(of, written.id)).toEqual([
      { emoji: '😍', author: { type: 'sender', id: of.sender_id, name: 'Sue Brook' } },
    ])
    expect(await shown(of)).toEqual([{ emoji: '😍', author: { type: 'user', id: w.admin.id, name: 'Ada' } }])
  })

  test('of two people are separate', async () => {
    const of = await chatting()
    await of.here.push(textPush('m-2', { sender: customer({ id: 's-2', name: 'Al' }) }))
    await react(of, heart)
    of.w.clock.advance(1)
    await react(of, { ...heart, user: { id: 's-2' }, emoji: '👍' })
    expect(
      (await shown(of)).map(({ emoji, author }: { emoji: string; author: { name: string } }) => [
        author.name,
        emoji,
      ]),
    ).toEqual([
      ['Sue Brook', '😍'],
      ['Al', '👍'],
    ])
  })

  test('is refused above a hundred people, who can still change and remove theirs', async () => {
    const of = await chatting()
    const { w, message_id } = of
    const { account_id } = await w.ctx.db
      .selectFrom('chat_messages')
      .select('account_id')
      .where('id', '=', message_id)
      .executeTakeFirstOrThrow()
    const others = Array.from({ length: 99 }, (_, i) => ({
      ...{ account_id, message_id, author: `user:${1_000 + i}`, emoji: '👍', created_at: BEGINNING },
    }))
    await w.ctx.db.transaction().execute((tx) => tx.insertInto('chat_reactions').values(others).execute())
    expect((await react(of, heart)).status).toBe(200)
    await of.here.push(textPush('m-2', { sender: customer({ id: 's-2', name: 'Al' }) }))
    const late = { ...heart, user: { id: 's-2' } }
    const { version } = await shownChat(of)
    const refused = await react(of, late)
    expect([refused.status, refused.body.error_type]).toEqual([409, 'REACTION_LIMIT'])
    expect([(await shown(of)).length, (await shownChat(of)).version]).toEqual([100, version])
    expect((await react(of, { ...heart, emoji: '👍' })).status).toBe(200)
    expect((await react(of, { ...heart, emoji: '👍', type: 'unreact' })).status).toBe(200)
    expect((await react(of, late)).status).toBe(200)
    expect(await shown(of)).toHaveLength(100)
  })

  test('requires a message, a chat and a person of its channel', async () => {
    const of = await chatting()
    const { w, here } = of
    await here.push(textPush('m-2', { conversation_id: 'c-2', sender: customer({ id: 's-2' }) }))
    const other = await connected(w)
    const pushed = await other.push(textPush('n-1', { sender: customer({ id: 't-1' }) }))
    const stranger = await w.addPerson({ account: await w.addAccount('other'), is_admin: true })
    const { body: known } = await stranger.browser.get(`/web/v4/users/${stranger.id}?with=amojo_id`)
    const theirs = pushed.body.new_message
    const none = crypto.randomUUID()
    const changes = [
      { conversation_id: 'c-2' },
      { conversation_id: 'c-3' },
      { conversation_id: undefined, conversation_ref_id: theirs.conversation_id },
      { msgid: 'm-2' },
      { msgid: 'm-3' },
      { msgid: undefined, id: theirs.msgid },
      { msgid: undefined, id: none },
      { user: { id: 't-1' } },
      { user: { id: 's-3' } },
      { user: { ref_id: theirs.sender_id } },
      { user: { ref_id: known.amojo_id } },
      { user: { ref_id: 'nobody' } },
    ]
    for (const change of changes) {
      const answer = await react(of, { ...heart, ...change })
      expect([answer.status, answer.body.error_type], JSON.stringify(change)).toEqual([404, 'NOT_FOUND'])
    }
    expect((await react({ ...of, here: other }, heart)).status).toBe(404)
    expect(await w.ctx.db.selectFrom('chat_reactions').selectAll().execute()).toEqual([])
  })

  test.each<[string, object, string[]]>([
    ['nothing', {}, ['type', 'user']],
    ['no chat', { ...heart, conversation_id: undefined }, ['conversation_id']],
    ['no message', { ...heart, msgid: undefined }, ['msgid']],
    ['nobody', { ...heart, user: {} }, ['user.id']],
    ['no emoji', { ...heart, emoji: undefined }, ['emoji']],
    ['an empty one', { ...heart, emoji: '' }, ['emoji']],
    ['a text for one', { ...heart, emoji: 'x'.repeat(33) }, ['emoji']],
    ['another type', { ...heart, type: 'like' }, ['type']],
    [
      'members of wrong types',
      {
        conversation_id: 1,
        conversation_ref_id: 2,
        id: 3,
        msgid: 4,
        user: { id: 5, ref_id: 6 },
        type: 7,
        emoji: 8,
      },
      ['conversation_id', 'conversation_ref_id', 'emoji', 'id', 'msgid', 'type', 'user.id', 'user.ref_id'],
    ],
  ])('is refused with %s', async (_name, body, paths) => {
    const of = await chatting()
    const { version } = await shownChat(of)
    const answer = await react(of, body)
    expect([answer.status, pathsOf(answer)]).toEqual([400, paths])
    expect([await shown(of), (await shownChat(of)).version]).toEqual([[], version])
  })

  test('requires the signature of the channel and an existing scope', async () => {
    const of = await chatting()
    expect(await outsiders(of, 'react', heart)).toEqual(kept_out)
    expect(await shown(of)).toEqual([])
  })
})
