import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { line, textOf } from '../../../test/fixtures/conversations.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../../test/world.ts'
import { chatStates, fitsChat } from './chat-filter.ts'
import type { Chat } from './chat-schemas.ts'

const CHATS = 'http://demo.localhost:8080/web/v4/chats'
const namesOf = ({ body }: Answer): string[] =>
  body._embedded.chats.map(({ sender }: { sender: { name: string } }) => sender.name)

async function list(caller: Client, query = ''): Promise<string[]> {
  const answer = await caller.get(`/web/v4/chats?${query}`)
  if (answer.status === 204) return []
  if (answer.status !== 200) throw new Error(answer.text)
  return namesOf(answer)
}

/** Five chats, a minute apart; the fourth is of another channel, Ann's talk is closed, hers and Bob's were read. */
async function inbox() {
  const all = await world()
  const { clock, admin } = all
  const first = await line(all, { name: 'First' })
  const second = await line(all, { name: 'Second' })
  const ids: Record<string, string> = {}
  for (const [who, at] of [
    ['Ann', first],
    ['Bob', first],
    ['Cid', first],
    ['Dan', second],
    ['Eve', first],
  ] as const) {
    clock.advance(60)
    ids[who] = await at.write(who)
  }
  const get = async (who: string) => (await admin.browser.get(`/web/v4/chats/${ids[who]}`)).body
  await admin.browser.post(`/web/v4/chats/${ids.Bob}/read`)
  const { talk_id } = await get('Ann')
  const closed = await admin.browser.post(`/web/v4/talks/${talk_id}/close`, {})
  if (closed.status !== 202) throw new Error(closed.text)
  return { ...all, browser: admin.browser, first, second, ids, get }
}

describe('GET /chats', () => {
  test('is an empty list without chats', async () => {
    const { admin } = await world()
    expect((await admin.browser.get('/web/v4/chats')).status).toBe(204)
  })

  test('shows a chat with its sender, its records and its last message', async () => {
    const all = await world()
    const open = await line(all)
    const id = await open.write('Ann', 'Good day', {
      sender: {
        id: 's-1',
        name: 'Ann',
        avatar: 'https://example.com/a.png',
        profile_link: 'https://example.com/ann',
        profile: { phone: 79161234567, email: 'ann@example.com' },
      },
    })
    const answer = await all.admin.browser.get('/web/v4/chats')
    const [chat] = answer.body._embedded.chats
    const { contact_id, lead_id, talk_id, sender, last_message } = chat
    const now = all.ctx.now()
    const [contact, lead] = await Promise.all([
      all.admin.browser.get(`/web/v4/contacts/${contact_id}`),
      all.admin.browser.get(`/web/v4/leads/${lead_id}`),
    ])
    const { name, status_id, pipeline_id } = lead.body
    expect(chat).toEqual({
      id,
      account_id: all.account.id,
      talk_id,
      channel: { id: open.channel.id, name: 'Messenger', state: 'active', has_actions: false },
      conversation_id: 'c-Ann',
      sender: {
        id: sender.id,
        external_id: 's-1',
        name: 'Ann',
        avatar: 'https://example.com/a.png',
        profile_link: 'https://example.com/ann',
        phone: '79161234567',
        email: 'ann@example.com',
      },
      can_write: true,
      contact_id,
      lead_id,
      is_in_work: true,
      is_read: false,
      unread_count: 1,
      is_bot_stopped: false,
      typing_until: null,
      last_message: {
        id: last_message.id,
        chat_id: id,
        position: 1,
        direction: 'in',
        origin: 'channel',
        type: 'text',
        text: 'Good day',
        media: null,
        thumbnail: null,
        file_name: null,
        file_size: null,
        content: {},
        author: { type: 'sender', id: sender.id, name: 'Ann' },
        state: 'received',
        error_code: null,
        error: null,
        attempts: 0,
        next_attempt_at: null,
        reactions: [],
        sent_at: now,
        created_at: now,
        edited_at: null,
      },
      last_message_at: now,
      created_at: now,
      version: chat.version,
      _links: { self: { href: `${CHATS}/${id}` } },
      _embedded: {
        contact: { id: contact_id, name: contact.body.name },
        lead: { id: lead_id, name, status_id, pipeline_id, price: 0, price_with_minor_units: 0 },
      },
    })
    expect((await all.admin.browser.get(`/web/v4/chats/${id.toUpperCase()}`)).body).toEqual(chat)
  })

  test('is in the order of activity, in pages that contain each chat once', async () => {
    const { browser, ids } = await inbox()
    const first = await browser.get('/web/v4/chats?limit=2')
    const at = BEGINNING + 240
    expect([namesOf(first), first.body._links]).toEqual([
      ['Eve', 'Dan'],
      {
        self: { href: `${CHATS}?limit=2&page=1` },
        next: { href: `${CHATS}?limit=2&page=2&position=2.${at}.${ids.Dan}` },
      },
    ])
    const second = await browser.get(first.body._links.next.href)
    expect(namesOf(second)).toEqual(['Cid', 'Bob'])
    const third = await browser.get(second.body._links.next.href)
    expect([namesOf(third), third.body._links.next]).toEqual([['Ann'], undefined])
    expect(await list(browser, 'limit=2&page=3')).toEqual(['Ann'])
    expect(await list(browser, `limit=2&page=3&position=2.${at}.${ids.Dan}`)).toEqual(['Ann'])
  })

  test('is sorted by the latest message', async () => {
    const all = await inbox()
    all.clock.advance(60)
    await all.first.push(textOf(all, 'Ann', 'again'))
    expect((await list(all.browser))[0]).toBe('Ann')
    all.clock.advance(60)
    await all.browser.post(`/web/v4/chats/${all.ids.Cid}/messages`, { text: 'Hi' })
    expect((await list(all.browser)).slice(0, 2)).toEqual(['Cid', 'Ann'])
  })

  const filters: [string, (of: Awaited<ReturnType<typeof inbox>>) => Promise<string> | string, string[]][] = [
    ['what is unread', () => 'filter[state]=unread', ['Eve', 'Dan', 'Cid']],
    ['what is open', () => 'filter[state]=open', ['Eve', 'Dan', 'Cid', 'Bob']],
    ['what is closed', () => 'filter[state]=closed', ['Ann']],
    ['a channel', ({ second }) => `filter[channel_id]=${second.channel.id}`, ['Dan']],
    [
      'channels, in one order',
      ({ first, second }) => `filter[channel_id]=${second.channel.id},${first.channel.id}`,
      ['Eve', 'Dan', 'Cid', 'Bob', 'Ann'],
    ],
    ['no channel', () => 'filter[channel_id]=x', []],
    ['a contact', async ({ get }) => `filter[contact_id]=${(await get('Cid')).contact_id}`, ['Cid']],
    ['a lead', async ({ get }) => `filter[lead_id][]=${(await get('Bob')).lead_id}`, ['Bob']],
    [
      'several at once',
      ({ first }) => `filter[channel_id]=${first.channel.id}&filter[state]=unread`,
      ['Eve', 'Cid'],
    ],
    ['what is not known', () => 'filter[none]=1&filter=', ['Eve', 'Dan', 'Cid', 'Bob', 'Ann']],
    ['the beginning of a name', () => 'query=da', ['Dan']],
    ['no word', () => 'query=%20', []],
    ['an empty text', () => 'query=', ['Eve', 'Dan', 'Cid', 'Bob', 'Ann']],
    ['a name that nobody has', () => 'query=zz', []],
  ]
  test('is filtered by each of its members, whole and in pages', async () => {
    const all = await inbox()
    for (const [what, query, names] of filters) {
      const asked = await query(all)
      expect([what, await list(all.browser, asked)]).toEqual([what, names])
      const walked: string[] = []
      let url: string | undefined = `/web/v4/chats?limit=1&${asked}`
      while (url) {
        const answer: Answer = await all.browser.get(url)
        walked.push(...namesOf(answer))
        url = answer.body?._links?.next?.href
      }
      expect([what, walked]).toEqual([what, names])
    }
  })

  test('is filtered as the web application filters a chat in memory', async () => {
    const { browser, first, second } = await inbox()
    const all: Chat[] = (await browser.get('/web/v4/chats')).body._embedded.chats
    const filters = [undefined, ...chatStates].flatMap((state) => [
      { state },
      ...[first, second].map(({ channel }) => ({ state, channel_id: channel.id as string })),
      ...all.map(({ contact_id }) => ({ state, contact_id: String(contact_id) })),
      ...all.map(({ lead_id }) => ({ state, lead_id: String(lead_id) })),
    ])
    for (const filter of filters) {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== 'null')
      const search = new URLSearchParams(given.map(([name, value]) => [`filter[${name}]`, String(value)]))
      const expected = all.filter((chat) => fitsChat(chat, Object.fromEntries(given)))
      expect(await list(browser, String(search))).toEqual(expected.map(({ sender }) => sender.name))
    }
  })

  onEmbedded.each([
    ['filter[state]=new', 'NotSupportedChoice filter.state'],
    ['filter[contact_id]=x', 'InvalidType filter.contact_id'],
    ['filter[lead_id]=1e400', 'InvalidType filter.lead_id'],
    [`filter[channel_id]=${Array(11).fill('a').join(',')}`, 'TooMany filter.channel_id'],
    [`filter[contact_id]=${Array(251).fill(1).join(',')}`, 'TooMany filter.contact_id'],
    ['limit=251', 'OutOfRange limit'],
  ])('%s is refused, with its name', async (query, fault) => {
    const { admin } = await world()
    expect(faultsOf(await admin.browser.get(`/web/v4/chats?${query}`))).toEqual([400, `0 ${fault}`])
  })
})

describe('GET /chats/{id}/messages', () => {
  test('lists messages in pages, newest first', async () => {
    const all = await world()
    const open = await line(all)
    const id = await open.write('Ann', '1')
    for (const text of ['2', '3']) await open.write('Ann', text)
    await all.admin.browser.post(`/web/v4/chats/${id}/messages`, { text: '4' })
    await open.write('Ann', '5')
    const path = `/web/v4/chats/${id}/messages`
    const texts = ({ body }: Answer) => body._embedded.messages.map(({ text }: { text: string }) => text)
    const first = await all.admin.browser.get(`${path}?limit=2`)
    expect([texts(first), first.body._links]).toEqual([
      ['5', '4'],
      {
        self: { href: `${CHATS}/${id}/messages?limit=2` },
        next: { href: `${CHATS}/${id}/messages?limit=2&before=4` },
      },
    ])
    const second = await all.admin.browser.get(first.body._links.next.href)
    expect(texts(second)).toEqual(['3', '2'])
    const third = await all.admin.browser.get(second.body._links.next.href)
    expect([texts(third), third.body._links.next]).toEqual([['1'], undefined])
    expect(texts(await all.admin.browser.get(`${path}?before=1`))).toEqual([])
  })

  test('shows reactions and their authors', async () => {
    const all = await world()
    const open = await line(all)
    const id = await open.write('Ann')
    const sent = await all.admin.browser.post(`/web/v4/chats/${id}/messages`, { text: 'Hi' })
    const reaction = { conversation_id: 'c-Ann', id: sent.body.id, user: { id: 's-Ann' }, type: 'react' }
    const answer = await open.call('POST', `/${open.scope_id}/react`, { ...reaction, emoji: '👍' })
    expect(answer.status).toBe(200)
    const [message] = (await all.admin.browser.get(`/web/v4/chats/${id}/messages`)).body._embedded.messages
    const { sender } = (await all.admin.browser.get(`/web/v4/chats/${id}`)).body
    expect(message.reactions).toEqual([
      { emoji: '👍', author: { type: 'sender', id: sender.id, name: 'Ann' } },
    ])
  })

  onEmbedded.each([
    ['limit=0', 'OutOfRange limit'],
    ['limit=251', 'OutOfRange limit'],
    ['before=0', 'OutOfRange before'],
    ['before=x', 'InvalidType before'],
  ])('%s is refused, with its name', async (query, fault) => {
    const all = await world()
    const id = await (await line(all)).write('Ann')
    const answer = await all.admin.browser.get(`/web/v4/chats/${id}/messages?${query}`)
    expect(faultsOf(answer)).toEqual([400, `0 ${fault}`])
  })
})

describe('Writing in a chat', () => {
  onEmbedded.each<[unknown, string]>([
    [{}, 'NotBlank text'],
    [{ text: ' \n' }, 'NotBlank text'],
    [{ text: 5 }, 'InvalidType text'],
    [{ text: 'x'.repeat(20_001) }, 'TooLong text'],
    [{ file_uuid: 'x' }, 'InvalidFormat file_uuid'],
    [{ file_uuid: null }, 'NotBlank text'],
    [{ text: 'x', request_id: true }, 'InvalidType request_id'],
  ])('%j is refused by name, and leaves nothing', async (draft, fault) => {
    const all = await world()
    const id = await (await line(all)).write('Ann')
    const before = await traces(all.ctx)
    const answer = await all.admin.browser.post(`/web/v4/chats/${id}/messages`, draft)
    expect(faultsOf(answer)).toEqual([400, `0 ${fault}`])
    expect(await traces(all.ctx)).toEqual(before)
    const queued = await all.ctx.db.selectFrom('deliveries').select('id').execute()
    expect(queued).toEqual([])
    expect((await all.admin.browser.get(`/web/v4/chats/${id}`)).body.unread_count).toBe(1)
  })

  onEmbedded('accepts 20,000 characters in any script', async () => {
    const all = await world()
    const open = await line(all)
    const id = await open.write('Ann')
    const escaped = `{"text":"${'\\ud83d\\ude00'.repeat(20_000)}"}`
    const answer = await all.admin.browser.post(`/web/v4/chats/${id}/messages`, escaped, {
      'content-type': 'application/json',
    })
    expect(answer.status).toBe(200)
    await all.app.deliveries.runDue()
    const { text } = JSON.parse(open.there.received[0]?.body as string)
    // A boolean: a difference would be shown whole.
    expect(text === '😀'.repeat(20_000)).toBe(true)
  })

  onEmbedded('happens once with an Idempotency-Key', async () => {
    const all = await world()
    const open = await line(all)
    const id = await open.write('Ann')
    const send = () =>
      all.admin.browser.post(`/web/v4/chats/${id}/messages`, { text: 'Hi' }, { 'idempotency-key': 'k' })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    await all.app.deliveries.runDue()
    expect(open.there.received.length).toBe(1)
  })

  onEmbedded('with a token acts as the user who granted it, and needs the permission', async () => {
    const all = await world()
    const open = await line(all)
    const id = await open.write('Ann')
    const integration = await register(all.admin)
    const { access_token } = await connect(all.stranger, integration)
    const bearer = all.stranger.as({ token: access_token })
    const sent = await bearer.post(`/api/v4/chats/${id}/messages`, { text: 'Hi' })
    expect([sent.status, sent.body.author]).toEqual([200, { type: 'user', id: all.admin.id, name: 'Ada' }])
    expect(sent.headers['content-type']).toBe('application/hal+json')
    expect((await bearer.get('/api/v4/chats')).body._embedded.chats[0]._links.self.href).toBe(
      `http://demo.localhost:8080/api/v4/chats/${id}`,
    )
    expect((await all.stranger.get('/api/v4/chats')).status).toBe(401)
  })

  test('marks a chat as read once', async () => {
    const { get, browser, ids } = await inbox()
    const before = await get('Cid')
    const read = await browser.post(`/web/v4/chats/${ids.Cid}/read`)
    expect([read.status, read.body]).toEqual([
      200,
      { ...before, is_read: true, unread_count: 0, version: before.version + 1 },
    ])
    expect((await browser.post(`/web/v4/chats/${ids.Cid}/read`)).body).toEqual(read.body)
  })
})
