import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { CHATS, type Connected, connected, send, signed } from '../../../test/fixtures/chats.ts'
import { chatTraces, closeTalks, customer, textPush } from '../../../test/fixtures/pushes.ts'
import { log } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/)

const sue = {
  id: 'sk-1',
  name: 'Sue Brook',
  avatar: 'https://cdn.example/sue.png',
  profile: { phone: '79151112233', email: 'sue@example.com' },
  profile_link: 'https://example.com/sue',
}
const newChat = { conversation_id: 'c-1', user: sue }

const createChat = (here: Connected, body: unknown) => here.call('POST', `/${here.scope_id}/chats`, body)

const chatsOf = async ({ admin }: World) => (await admin.browser.get('/web/v4/chats')).body._embedded.chats

describe('A chat that a provider creates', () => {
  test('has no contact and no lead until the first message; a repeated request returns the same chat', async () => {
    const w = await world()
    const here = await connected(w)
    const first = await createChat(here, newChat)
    const user = {
      id: UUID,
      client_id: 'sk-1',
      name: 'Sue Brook',
      avatar: 'https://cdn.example/sue.png',
      phone: '79151112233',
      email: 'sue@example.com',
    }
    expect([first.status, first.body]).toEqual([200, { id: UUID, user }])
    const before = await chatTraces(w.ctx)
    const second = await createChat(here, newChat)
    expect([second.status, second.body]).toEqual([200, first.body])
    expect(await chatTraces(w.ctx)).toEqual(before)
    expect(before).toMatchObject({ entities: 0, conversations: 1, talks: 1 })
    expect((await w.admin.browser.get('/web/v4/chats')).status).toBe(204)

    const pushed = await here.push(textPush('m-1', { sender: customer({ id: 'sk-1' }) }))
    expect(pushed.body.new_message).toMatchObject({
      conversation_id: first.body.id,
      sender_id: first.body.user.id,
    })
    const [chat] = await chatsOf(w)
    expect(chat).toMatchObject({
      id: first.body.id,
      conversation_id: 'c-1',
      sender: { id: first.body.user.id, profile_link: 'https://example.com/sue' },
      is_in_work: true,
      is_read: false,
      _embedded: { contact: { name: 'Sue Brook' }, lead: { id: chat.lead_id } },
    })
    expect((await chatTraces(w.ctx)).talks).toBe(1)
    expect((await log(w.ctx)).map(({ type }) => type).sort()).toEqual([
      'contact_added',
      'contact_linked',
      'custom_field_value_changed',
      'custom_field_value_changed',
      'incoming_chat_message',
      'lead_added',
      'lead_linked',
    ])

    // Creating it again does not begin a new talk.
    await closeTalks(w.ctx)
    await createChat(here, newChat)
    expect(await chatTraces(w.ctx)).toMatchObject({ talks: 1, chat_messages: 1 })
    expect((await chatsOf(w))[0].is_in_work).toBe(false)
  })

  test('is linked to a contact that exists already, and continues on its newest open lead', async () => {
    const w = await world()
    const here = await connected(w)
    const { browser } = w.admin
    const { body: contacts } = await browser.post('/web/v4/contacts', [{ name: 'Bea' }])
    const contact_id = contacts._embedded.contacts[0].id as number
    const known = { _embedded: { contacts: [{ id: contact_id }] } }
    const { body: leads } = await browser.post('/web/v4/leads', [
      { ...known, name: 'old' },
      { ...known, name: 'new' },
      { ...known, name: 'lost', status_id: 143 },
    ])
    const lead_id = leads._embedded.leads[1].id as number
    const before = (await chatTraces(w.ctx)).entities
    const { id } = (await createChat(here, newChat)).body
    const linked = await browser.post('/web/v4/contacts/chats', [{ contact_id, chat_id: id }])
    expect(linked.status).toBe(200)
    await here.push(textPush('m-1', { sender: customer({ id: 'sk-1' }) }))
    expect(await chatsOf(w)).toMatchObject([{ id, contact_id, lead_id, unread_count: 1 }])
    expect(await chatTraces(w.ctx)).toMatchObject({ entities: before, talks: 1 })
  })

  test('of a person whose two ids are equal is theirs, and not of a member', async () => {
    const w = await world()
    const here = await connected(w)
    const user = { id: 'sk-4', ref_id: 'sk-4', name: 'Cy' }
    const { body } = await createChat(here, { conversation_id: 'c-4', user })
    expect(body.user).toEqual({ id: UUID, client_id: 'sk-4', name: 'Cy', avatar: '' })
  })

  test('shows only the members of a person that the provider sent', async () => {
    const w = await world()
    const here = await connected(w)
    const bare = { id: 'sk-2', name: 'Al', avatar: null, profile: null, profile_link: null, ref_id: null }
    const answer = await createChat(here, { conversation_id: 'c-2', source: null, user: bare })
    const user = { id: UUID, client_id: 'sk-2', name: 'Al', avatar: '' }
    expect([answer.status, answer.body]).toEqual([200, { id: UUID, user }])
    const numbered = { id: 'sk-3', name: 'Bo', profile: { phone: 79151112244 } }
    const other = await createChat(here, { conversation_id: 'c-3', user: numbered })
    expect(other.body.user.phone).toBe('79151112244')
  })

  test('is created once by concurrent requests', async () => {
    const w = await world()
    const here = await connected(w)
    const answers = await Promise.all(Array.from({ length: 12 }, () => createChat(here, newChat)))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const before = await chatTraces(w.ctx)
    expect(before).toMatchObject({ conversations: 1, talks: 1, chat_senders: 1, chat_messages: 0 })
    // Two chats of a person whom nobody knew.
    const two = ['c-8', 'c-9'].map((conversation_id) =>
      createChat(here, { conversation_id, user: { id: 'sk-9', name: 'Al' } }),
    )
    const users = (await Promise.all(two)).map(({ status, body }) => [status, body.user.id])
    expect(users).toEqual([users[0], users[0]])
    expect(users[0]?.[0]).toBe(200)
  })

  test.each<[string, unknown, string[]]>([
    ['nothing', {}, ['conversation_id', 'user']],
    ['a list', [], ['']],
    [
      'members of wrong types',
      {
        conversation_id: 5,
        user: { ...sue, id: 6, name: ['Sue'], avatar: 7, profile: 'x', profile_link: {} },
      },
      ['conversation_id', 'user.id', 'user.name', 'user.avatar', 'user.profile', 'user.profile_link'],
    ],
    [
      'empty names',
      { conversation_id: '', user: { id: '', name: '' } },
      ['conversation_id', 'user.id', 'user.name'],
    ],
    [
      'long ones',
      { conversation_id: 'c'.repeat(256), source: { external_id: 'x'.repeat(41) }, user: sue },
      ['conversation_id', 'source.external_id'],
    ],
    ['no address of a picture', { ...newChat, user: { ...sue, avatar: 'javascript:1' } }, ['user.avatar']],
    [
      'a profile of wrong types',
      { ...newChat, user: { ...sue, profile: { phone: 1.5, email: 5 } } },
      ['user.profile.phone', 'user.profile.email'],
    ],
  ])('is refused with %s, and leaves no trace', async (_name, body, paths) => {
    const w = await world()
    const here = await connected(w)
    const before = await chatTraces(w.ctx)
    const answer = await createChat(here, body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 400])
    expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(paths.sort())
    expect(await chatTraces(w.ctx)).toEqual(before)
  })

  test('requires the signature of the channel and an existing scope', async () => {
    const w = await world()
    const here = await connected(w)
    const before = await chatTraces(w.ctx)
    const body = JSON.stringify(newChat)
    const at = (scope_id: string) => `${CHATS}/${scope_id}/chats`
    const forged = await send(w, 'POST', at(here.scope_id), body, signed('0'.repeat(80), body))
    expect([forged.status, forged.body.error_type]).toEqual([403, 'ORIGIN_INVALID_SIGNATURE'])
    const unconnected = here.scope_id.replace(/.{4}$/, '0000')
    const lost = await send(w, 'POST', at(unconnected), body, signed(here.channel.secret, body))
    expect([lost.status, lost.body.error_type]).toEqual([404, 'ACCOUNT_NOT_CONNECTED'])
    expect(await chatTraces(w.ctx)).toEqual(before)
  })
})

describe('The history of a chat', () => {
  const read = (here: Connected, conversation_id: string, query = '') =>
    here.call('GET', `/${here.scope_id}/chats/${conversation_id}/history${query}`)

  test('lists every message, newest first, with its sender and receiver', async () => {
    const w = await world()
    const here = await connected(w)
    const from = customer({ profile: { phone: 79151112233, email: 'sue@example.com' } })
    const pushed = await here.push(textPush('m-1', { sender: from }))
    const { conversation_id, msgid } = pushed.body.new_message
    const place = { type: 'location', location: { lon: 1.5, lat: 2 } }
    await here.push(textPush('m-2', { sender: from, timestamp: 1_772_366_001, message: place }))
    w.clock.advance(5)
    await w.admin.browser.post(`/web/v4/chats/${conversation_id}/messages`, { text: 'It is.' })
    const { body: people } = await w.admin.browser.get(`/web/v4/users/${w.admin.id}?with=amojo_id`)
    const client = {
      id: UUID,
      client_id: 's-1',
      name: 'Sue Brook',
      avatar: 'https://cdn.example/sue.png',
      phone: '79151112233',
      email: 'sue@example.com',
    }
    const empty = { media: '', thumbnail: '', file_name: '', file_size: 0 }
    const messages = [
      {
        timestamp: BEGINNING + 5,
        msec_timestamp: (BEGINNING + 5) * 1000,
        sender: { id: people.amojo_id, name: 'Ada' },
        receiver: client,
        message: { id: UUID, type: 'text', text: 'It is.', ...empty },
      },
      {
        timestamp: 1_772_366_001,
        msec_timestamp: 1_772_366_001_000,
        sender: client,
        message: { id: UUID, client_id: 'm-2', text: '', ...place, ...empty },
      },
      {
        timestamp: 1_772_366_000,
        msec_timestamp: 1_772_366_000_000,
        sender: client,
        message: { id: msgid, client_id: 'm-1', type: 'text', text: 'Is it still there?', ...empty },
      },
    ]
    const byTheirs = await read(here, 'c-1')
    expect([byTheirs.status, byTheirs.body]).toEqual([200, { messages }])
    const byOurs = await read(here, conversation_id)
    expect(byOurs.body).toEqual(byTheirs.body)
  })

  onEmbedded('is read in pages of at most fifty messages', async () => {
    const w = await world()
    const here = await connected(w)
    for (let i = 1; i <= 53; i++) await here.push(textPush(`m-${i}`))
    const page = async (query: string) => {
      const { status, body } = await read(here, 'c-1', query)
      return status === 204
        ? 204
        : body.messages.map(({ message }: { message: { client_id: string } }) => message.client_id)
    }
    const down = (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, i) => `m-${from - i}`)
    expect(await page('')).toEqual(down(53, 4))
    expect(await page('?offset=50&limit=50')).toEqual(down(3, 1))
    expect(await page('?offset=2&limit=3')).toEqual(down(51, 49))
    expect(await page('?offset=52&limit=50')).toEqual(['m-1'])
    expect(await page('?offset=53&limit=50')).toBe(204)
    expect(await page('?offset=9007199254740991')).toBe(204)
  })

  onEmbedded.each([
    ['?limit=51', ['limit']],
    ['?limit=0', ['limit']],
    ['?limit=x&offset=-1', ['offset', 'limit']],
    ['?offset=9007199254740993', ['offset']],
  ])('is refused with %s', async (query, paths) => {
    const w = await world()
    const here = await connected(w)
    const { status, body } = await read(here, 'c-1', query)
    expect([status, body.errors.map(({ path }: { path: string }) => path).sort()]).toEqual([
      400,
      paths.sort(),
    ])
  })

  test('belongs to its channel and account; other chats have no history there', async () => {
    const w = await world()
    const here = await connected(w)
    const pushed = await here.push(textPush('m-1'))
    const { conversation_id } = pushed.body.new_message
    const other = await connected(w)
    const stranger = await w.addPerson({ account: await w.addAccount('other'), is_admin: true })
    const elsewhere = await connected(w, { by: stranger })
    for (const at of [other, elsewhere])
      for (const name of ['c-1', conversation_id]) {
        const answer = await read(at, name)
        expect([answer.status, answer.text]).toEqual([204, ''])
      }
    expect((await read(here, 'c-2')).status).toBe(204)
    await createChat(here, { ...newChat, conversation_id: 'c-3' })
    expect((await read(here, 'c-3')).status).toBe(204)
    const url = `${CHATS}/${here.scope_id}/chats/c-1/history`
    const forged = await send(w, 'GET', url, undefined, signed('0'.repeat(80), ''))
    expect([forged.status, forged.body.error_type]).toEqual([403, 'ORIGIN_INVALID_SIGNATURE'])
    const unconnected = here.scope_id.replace(/.{4}$/, '0000')
    const lost = await here.call('GET', `/${unconnected}/chats/c-1/history`)
    expect([lost.status, lost.body.error_type]).toEqual([404, 'ACCOUNT_NOT_CONNECTED'])
  })
})
