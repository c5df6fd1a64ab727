import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { line } from '../../../test/fixtures/conversations.ts'
import { type World, world } from '../../../test/world.ts'

const sue = { key: 'sue-1', name: 'Sue Brook', phone: '+15550100' }

async function scene(protocol: 'spec' | 'live' = 'live') {
  const w = await world()
  const here = await line(w, { protocol })
  const at = `/web/channels/${here.channel.id}/telephone`
  const post = (end: string, body: object, by = w.admin.browser) => by.post(`${at}/${end}`, body)
  const write = async (more: object) => {
    const answer = await post('messages', { customer: sue, ...more })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body as { chat_id: string; message_id: string }
  }
  const messages = async (chat: string) =>
    (await w.admin.browser.get(`/web/v4/chats/${chat}/messages`)).body._embedded.messages
  const answer = async (chat: string, text: string) =>
    (await w.admin.browser.post(`/web/v4/chats/${chat}/messages`, { text })).body
  return { w, here, at, post, write, messages, answer }
}

async function uploaded({ admin: { browser } }: World, name: string, content: string, type: string) {
  const draft = { file_name: name, file_size: content.length, content_type: type }
  const session = await browser.post('/web/drive/v1.0/sessions', draft)
  const { pathname } = new URL(session.body.upload_url)
  const answer = await browser.send('POST', pathname, content, { 'content-type': 'application/octet-stream' })
  return answer.body.uuid as string
}

describe.each(['spec', 'live'] as const)('The telephone of a channel with the protocol %s', (protocol) => {
  test('writes each kind of message through the chat API', async () => {
    const { w, write, messages } = await scene(protocol)
    const file = await uploaded(w, 'plan.txt', 'hello', 'text/plain')
    const { chat_id } = await write({ text: 'Is it still there?' })
    await write({ file_uuid: file, text: 'The plan' })
    await write({ location: { lat: 52.5, lon: 13.4 } })
    await write({ contact: { name: 'Bob', phone: '+15550101' } })
    const list = await messages(chat_id)
    expect(
      list.map(({ type, direction }: { type: string; direction: string }) => `${type} ${direction}`),
    ).toEqual(['contact', 'location', 'file', 'text'].map((type) => `${type} in`))
    expect(list[2]).toMatchObject({ file_name: 'plan.txt', file_size: 5 })
    const chat = (await w.admin.browser.get(`/web/v4/chats/${chat_id}`)).body
    expect([chat.conversation_id, chat.sender.name]).toEqual(['telephone-sue-1', 'Sue Brook'])
    const logged = (await w.admin.browser.get('/web/requests?operation=chats.push')).body.requests
    expect(logged).toHaveLength(4)
  })

  test('shows answers although the callback does not respond, and reports their status', async () => {
    const { w, here, write, answer, messages, post } = await scene(protocol)
    here.there.answer = (_request, response) => response.writeHead(500).end()
    const { chat_id } = await write({ text: 'Hello' })
    const { id } = await answer(chat_id, 'Hi')
    expect((await messages(chat_id))[0]).toMatchObject({ id, text: 'Hi', state: 'pending' })
    expect((await post('status', { message_id: id, state: 'delivered' })).status).toBe(204)
    expect((await messages(chat_id))[0].state).toBe('delivered')
    expect((await post('status', { message_id: id, state: 'read' })).status).toBe(204)
    expect((await messages(chat_id))[0].state).toBe('read')
    const next = await answer(chat_id, 'Still there?')
    const failed = { message_id: next.id, state: 'failed', error: 'The number is blocked' }
    expect((await post('status', failed)).status).toBe(204)
    expect((await messages(chat_id))[0]).toMatchObject({ state: 'failed', error: 'The number is blocked' })
    expect((await post('reaction', { message_id: id, emoji: '👍' })).status).toBe(204)
    expect((await messages(chat_id))[1].reactions).toMatchObject([{ emoji: '👍' }])
    expect((await post('reaction', { message_id: id, emoji: null })).status).toBe(204)
    expect((await messages(chat_id))[1].reactions).toEqual([])
    expect((await post('typing', { key: sue.key })).status).toBe(204)
    const chat = (await w.admin.browser.get(`/web/v4/chats/${chat_id}`)).body
    expect(chat.typing_until).toBe(w.clock.now() + 5)
  })
})

describe('The telephone', () => {
  onEmbedded('is for administrators of the account of the channel', async () => {
    const { w, post } = await scene()
    const ann = await w.addPerson()
    const other = await w.addPerson({ account: await w.addAccount('other'), is_admin: true })
    const draft = { customer: sue, text: 'Hello' }
    const statuses = [w.stranger, ann.browser, other.browser].map(
      async (by) => (await post('messages', draft, by)).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 403, 404])
    for (const [end, body] of [
      ['status', { message_id: 'x', state: 'read' }],
      ['typing', { key: 'sue-1' }],
      ['reaction', { message_id: 'x', emoji: '👍' }],
    ] as const)
      expect((await post(end, body, ann.browser)).status).toBe(403)
  })

  onEmbedded('does not act in conversations of real customers', async () => {
    const { here, post, answer, messages } = await scene()
    const chat = await here.write('ann')
    const { id } = await answer(chat, 'Hi')
    expect((await post('status', { message_id: id, state: 'failed' })).status).toBe(404)
    expect((await post('reaction', { message_id: id, emoji: '👍' })).status).toBe(404)
    expect((await messages(chat))[0]).toMatchObject({ state: 'pending', reactions: [] })
  })

  test('refuses bad, empty and huge messages, and leaves no trace of them', async () => {
    const { w, here, post } = await scene()
    const refused = [
      {},
      { text: ' ' },
      { text: 'x'.repeat(20_001) },
      { file_uuid: '5c1d7a90-2b3e-4f68-a1c4-9d0e8b7f6a52' },
      { location: { lat: 91, lon: 0 } },
      { location: { lat: 1, lon: 0 }, contact: { name: 'Bob', phone: '1' } },
      { text: 'Hello', customer: { ...sue, key: 'Ann ' } },
      { text: 'Hello', customer: { ...sue, phone: 'none' } },
    ]
    for (const draft of refused)
      expect((await post('messages', { customer: sue, ...draft })).status).toBe(400)
    expect((await w.admin.browser.get('/web/v4/chats')).status).toBe(204)
    await w.admin.browser.post(`/web/channels/${here.channel.id}/disconnect`, undefined)
    const { status, body } = await post('messages', { customer: sue, text: 'Hello' })
    expect([status, body.detail]).toEqual([422, expect.stringContaining('not connected')])
  })
})
