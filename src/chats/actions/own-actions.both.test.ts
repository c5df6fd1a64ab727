import { expect, test } from 'vitest'
import { type Line, line } from '../../../test/fixtures/conversations.ts'
import { type World, world } from '../../../test/world.ts'

interface Chatting extends World {
  open: Line
  /** The id of the chat, and of the customer's message in it. */
  id: string
  message_id: string
  path: string
  reaction: string
}

/** A world with one chat, whose provider gets callbacks of v2. */
async function chatting(draft: Parameters<typeof line>[1] = {}): Promise<Chatting> {
  const all = await world()
  const open = await line(all, { hook_api_version: 'v2', ...draft })
  const id = await open.write('ann')
  const path = `/web/v4/chats/${id}`
  const [message] = (await all.admin.browser.get(`${path}/messages`)).body._embedded.messages
  return {
    ...all,
    open,
    id,
    path,
    message_id: message.id,
    reaction: `${path}/messages/${message.id}/reaction`,
  }
}

const received = ({ open }: Chatting) => open.there.received.map(({ body }) => JSON.parse(body))
const amojoIdOf = async ({ admin }: Chatting): Promise<string> =>
  (await admin.browser.get(`/web/v4/users/${admin.id}?with=amojo_id`)).body.amojo_id

test('a reaction of a person is in the message, and the provider gets each change once, signed', async () => {
  const all = await chatting()
  const { admin, path, reaction } = all
  const set = (emoji: string) => admin.browser.put(reaction, { emoji })
  const answers = [await set('👍'), await set('👍'), await set('❤️')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const author = { type: 'user', id: admin.id, name: 'Ada' }
  expect(answers[2]?.body.reactions).toEqual([{ emoji: '❤️', author }])
  const removed = [await admin.browser.delete(reaction), await admin.browser.delete(reaction)]
  expect(removed.map(({ status, body }) => [status, body.reactions])).toEqual([
    [200, []],
    [200, []],
  ])
  expect((await admin.browser.get(path)).body.channel).toMatchObject({ state: 'active', has_actions: true })
  while ((await all.app.deliveries.runDue()) > 0);
  const of = {
    msgid: all.message_id,
    user: { id: await amojoIdOf(all) },
    conversation: { id: all.id, client_id: 'c-ann' },
  }
  const changes = [
    ['react', '👍'],
    ['react', '❤️'],
    ['unreact', '❤️'],
  ]
  const { amojo_id: account_id } = all.account
  expect(received(all)).toEqual(
    changes.map(([type, emoji]) => ({
      account_id,
      time: all.ctx.now(),
      action: { reaction: { ...of, type, emoji } },
    })),
  )
  expect(all.open.there.received.every(({ headers }) => typeof headers['x-signature'] === 'string')).toBe(
    true,
  )
})

test('reactions and messages reach the provider in the order in which they were made', async () => {
  const all = await chatting()
  const { admin, path, reaction } = all
  await admin.browser.post(`${path}/messages`, { text: 'Yes' })
  await admin.browser.put(reaction, { emoji: '👍' })
  await admin.browser.post(`${path}/messages`, { text: 'No' })
  while ((await all.app.deliveries.runDue()) > 0);
  const kinds = received(all).map(({ message, action }) => message?.message.text ?? action.reaction.emoji)
  expect(kinds).toEqual(['Yes', '👍', 'No'])
  const { deliveries } = (await admin.browser.get(`/web/deliveries?receiver=channel:${all.open.channel.id}`))
    .body
  expect(deliveries.map(({ kind }: { kind: string }) => kind)).toEqual([
    'chat_message',
    'chat_action',
    'chat_message',
  ])
})

test('a reaction that could not be delivered can be sent again, and one that was delivered cannot', async () => {
  const all = await chatting({ delivery: 'once' })
  const { admin, open, reaction } = all
  const accepting = open.there.answer
  open.there.answer = (_, response) => response.writeHead(500).end()
  await admin.browser.put(reaction, { emoji: '👍' })
  const at = async () => (await admin.browser.get('/web/deliveries?kind=chat_action')).body.deliveries
  while ((await all.app.deliveries.runDue()) > 0);
  const [failed] = await at()
  expect(failed.state).toBe('failed')
  open.there.answer = accepting
  expect((await admin.browser.post(`/web/deliveries/${failed.id}/send`)).status).toBe(204)
  while ((await all.app.deliveries.runDue()) > 0);
  const [delivered] = await at()
  expect(delivered.state).toBe('delivered')
  expect((await admin.browser.post(`/web/deliveries/${delivered.id}/send`)).status).toBe(409)
})

test('a provider that gets callbacks of v1 gets no reactions', async () => {
  const all = await chatting({ hook_api_version: 'v1' })
  const answer = await all.admin.browser.put(all.reaction, { emoji: '👍' })
  expect([answer.status, answer.body.type.split('#')[1]]).toEqual([409, 'reactions_unsupported'])
  expect((await all.admin.browser.get(all.path)).body.channel.has_actions).toBe(false)
  const [message] = (await all.admin.browser.get(`${all.path}/messages`)).body._embedded.messages
  expect(message.reactions).toEqual([])
  expect((await all.admin.browser.post(`${all.path}/typing`)).status).toBe(204)
  await all.app.deliveries.runDue()
  expect(received(all)).toEqual([])
})

test.each([
  [{}, 'emoji'],
  [{ emoji: '' }, 'emoji'],
  [{ emoji: ' ' }, 'emoji'],
  [{ emoji: '👍'.repeat(33) }, 'emoji'],
  [{ emoji: 1 }, 'emoji'],
])('the reaction %j is refused by its member', async (body, path) => {
  const all = await chatting()
  const answer = await all.admin.browser.put(all.reaction, body)
  expect([answer.status, answer.body['validation-errors'][0].errors[0].path]).toEqual([400, path])
})

test('a message of another chat, another account and a deleted channel have no reaction', async () => {
  const all = await chatting()
  const { admin, open } = all
  const other = await open.write('ben')
  const stranger = await all.addPerson({ account: await all.addAccount('other'), is_admin: true })
  const put = (path: string, by = admin) => by.browser.put(path, { emoji: '👍' })
  const elsewhere = `/web/v4/chats/${other}/messages/${all.message_id}/reaction`
  expect((await put(elsewhere)).status).toBe(404)
  expect((await put(all.reaction, stranger)).status).toBe(404)
  expect((await stranger.browser.post(`${all.path}/typing`)).status).toBe(404)
  await admin.browser.delete(`/web/channels/${open.channel.id}`)
  const answer = await put(all.reaction)
  expect([answer.status, answer.body.type.split('#')[1]]).toEqual([409, 'channel_closed'])
})

test('the provider learns that a person is typing, once in five seconds for each person', async () => {
  const all = await chatting()
  const { admin, open, path } = all
  const type = () => admin.browser.post(`${path}/typing`)
  expect([(await type()).status, (await type()).status]).toEqual([204, 204])
  const colleague = await all.addPerson({ is_admin: true })
  await colleague.browser.post(`${path}/typing`)
  await expect.poll(() => open.there.received.length).toBe(2)
  const now = all.ctx.now()
  expect(received(all)[0]).toEqual({
    account_id: all.account.amojo_id,
    time: now,
    action: {
      typing: {
        user: { id: await amojoIdOf(all) },
        conversation: { id: all.id, client_id: 'c-ann' },
        expired_at: now + 5,
      },
    },
  })
  const { body } = await admin.browser.get('/web/deliveries')
  expect(body.deliveries).toEqual([])
})
