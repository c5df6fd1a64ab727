import { expect, test } from 'vitest'
import { connected } from '../../../test/fixtures/chats.ts'
import { chatTraces, textPush } from '../../../test/fixtures/pushes.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { botIdOf } from '../scopes/scopes.ts'

async function chatting() {
  const w = await world()
  const here = await connected(w, { protocol: 'live' })
  const says = async (msgid: string, change: object = {}) => {
    expect((await here.push(textPush(msgid, change))).status).toBe(200)
  }
  await says('m-1')
  const chat = async () => (await w.admin.browser.get('/web/v4/chats')).body._embedded.chats[0]
  return { w, here, says, chat }
}

const messagesOf = async ({ admin }: World, talk: number, query = '') => {
  const { status, body } = await admin.browser.get(`/web/v4/talks/${talk}/messages?${query}`)
  return status === 204 ? [] : body._embedded.messages
}

test('a talk has its messages with authors, deliveries and attachments, the latest first', async () => {
  const { w, here, says, chat } = await chatting()
  const { id, talk_id, sender } = await chat()
  w.clock.advance(10)
  await says('m-2', { message: { type: 'picture', text: '', media: 'https://cdn.example/a.png' } })
  const { body: sent } = await w.admin.browser.post(`/web/v4/chats/${id}/messages`, { text: 'It is.' })
  const bot = { id: 'b', name: 'Bot', ref_id: botIdOf(here.channel.id) }
  await says('m-3', {
    sender: bot,
    receiver: { id: 's-1', name: 'Sue Brook' },
    message: { type: 'text', text: 'Hi' },
  })
  const customer = { id: sender.id, type: 'external', name: 'Sue Brook', avatar_url: sender.avatar }
  const common = { origin: here.channel.id, attachment: null, created_at: BEGINNING + 10 }
  const { body: person } = await w.admin.browser.get(`/web/v4/users/${w.admin.id}?with=amojo_id`)
  const found = await messagesOf(w, talk_id)
  expect(found).toEqual([
    {
      ...common,
      id: found[0].id,
      type: 'outgoing',
      message_type: 'text',
      text: 'Hi',
      author: { id: botIdOf(here.channel.id), type: 'bot', name: 'Bot', avatar_url: null },
      delivery_status: 'delivered',
    },
    {
      ...common,
      id: sent.id,
      type: 'outgoing',
      message_type: 'text',
      text: 'It is.',
      author: { id: person.amojo_id, type: 'internal', name: w.admin.name, avatar_url: null },
      delivery_status: 'sent',
    },
    {
      ...common,
      id: found[2].id,
      type: 'incoming',
      message_type: 'picture',
      text: '',
      author: customer,
      delivery_status: null,
      attachment: { type: 'picture', link: 'https://cdn.example/a.png', file_name: null },
    },
    {
      ...common,
      id: found[3].id,
      type: 'incoming',
      message_type: 'text',
      text: 'Is it still there?',
      author: customer,
      delivery_status: null,
      created_at: BEGINNING,
    },
  ])
})

test('talks of one chat share no message', async () => {
  const { w, says, chat } = await chatting()
  const first = (await chat()).talk_id
  await says('m-2')
  await w.admin.browser.post(`/web/v4/talks/${first}/close`, {})
  // Moved without a message, the chat has a talk in between that is empty.
  const { body } = await w.admin.browser.post('/web/v4/contacts', [{ name: 'Other' }])
  const contact_id = body._embedded.contacts[0].id
  await w.admin.browser.post('/web/v4/contacts/chats', [{ contact_id, chat_id: (await chat()).id }])
  const second = (await chat()).talk_id
  expect(await messagesOf(w, second)).toEqual([])
  await w.admin.browser.post(`/web/v4/talks/${second}/close`, {})
  await says('m-3', { message: { type: 'text', text: 'Third' } })
  const third = (await chat()).talk_id
  expect([first, second, third].length).toBe(new Set([first, second, third]).size)
  expect((await messagesOf(w, first)).length).toBe(2)
  expect(await messagesOf(w, second)).toEqual([])
  expect((await messagesOf(w, third)).map(({ text }: { text: string }) => text)).toEqual(['Third'])
})

test('messages are filtered by time, and read in pages', async () => {
  const { w, says, chat } = await chatting()
  const { talk_id } = await chat()
  for (const msgid of ['m-2', 'm-3', 'm-4']) {
    w.clock.advance(10)
    await says(msgid)
  }
  const times = async (query: string) =>
    (await messagesOf(w, talk_id, query)).map(
      ({ created_at }: { created_at: number }) => created_at - BEGINNING,
    )
  expect(await times('')).toEqual([30, 20, 10, 0])
  expect(
    await times(`filter[created_at][from]=${BEGINNING + 10}&filter[created_at][to]=${BEGINNING + 20}`),
  ).toEqual([20, 10])
  const page = await w.admin.browser.get(`/web/v4/talks/${talk_id}/messages?limit=3`)
  expect(page.body._embedded.messages.length).toBe(3)
  const next = await w.admin.browser.get(page.body._links.next.href)
  expect(next.body._embedded.messages.map((one: { created_at: number }) => one.created_at)).toEqual([
    BEGINNING,
  ])
  expect(next.body._links.next).toBeUndefined()
  expect(await times('limit=3&page=2')).toEqual([0])
})

test('a text is sent in an open talk, and a closed one refuses it without a trace', async () => {
  const { w, chat } = await chatting()
  const { talk_id } = await chat()
  const send = (text: unknown, id = talk_id) =>
    w.admin.browser.post(`/web/v4/talks/${id}/send_message`, { text })
  const { status, body } = await send('It is.')
  expect([status, Object.keys(body)]).toEqual([202, ['id']])
  expect((await chat()).last_message).toMatchObject({
    id: body.id,
    direction: 'out',
    text: 'It is.',
    author: { type: 'user', id: w.admin.id },
  })
  const before = await chatTraces(w.ctx)
  for (const text of ['', '  ', null, 5, undefined, 'x'.repeat(20_001)])
    expect((await send(text)).status).toBe(400)
  expect((await send('Hi', talk_id + 1)).status).toBe(404)
  await w.admin.browser.post(`/web/v4/talks/${talk_id}/close`, {})
  const refused = await send('Too late')
  expect([refused.status, refused.body.detail]).toEqual([422, 'Talk is closed'])
  expect(refused.body.type.split('#')[1]).toBe('talk_closed')
  expect(await chatTraces(w.ctx)).toEqual(before)
})

test('messages cannot be read while the account is unpaid', async () => {
  const { w, chat } = await chatting()
  const { talk_id } = await chat()
  await w.ctx.db.transaction().execute((tx) => tx.updateTable('accounts').set({ paid_until: 5 }).execute())
  expect((await w.admin.browser.get(`/web/v4/talks/${talk_id}/messages`)).status).toBe(402)
})
