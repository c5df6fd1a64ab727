import { describe, expect, test } from 'vitest'
import { type ChannelDraft, type Connected, connected, signatureOf } from '../../../test/fixtures/chats.ts'
import { storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { log } from '../../../test/fixtures/records.ts'
import { type Receiver, receiver } from '../../../test/programs/receiver.ts'
import { type World, world } from '../../../test/world.ts'

interface Shop {
  w: World
  here: Connected
  callback: Receiver
  /** Pushes a text of the customer; answers the chat. */
  says(text: string, change?: object): Promise<string>
  /** The messages of the bot and the people of the account, in the order of the thread. */
  answers(): Promise<string[]>
  /** Adds an intent, and answers its id. */
  listensFor(...phrases: string[]): Promise<number>
}

async function shop(draft: ChannelDraft = {}): Promise<Shop> {
  const w = await world()
  const callback = await receiver()
  const here = await connected(w, { callback_url: `${callback.url}/to/:scope_id`, ...draft })
  let count = 0
  return {
    w,
    here,
    callback,
    says: async (text, change = {}) => {
      const msgid = `m-${++count}`
      const { status, body } = await here.push(
        textPush(msgid, { message: { type: 'text', text }, ...change }),
      )
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.new_message.conversation_id
    },
    answers: async () => {
      const rows = await storedMessages(w.ctx)
      return rows
        .filter(({ direction }) => direction === 'out')
        .map(({ origin, text }) => `${origin}: ${text}`)
    },
    listensFor: async (...phrases) => {
      const draft = { name: phrases.join(), phrases, answer: `About ${phrases[0]}` }
      return (await w.admin.browser.post('/web/v4/chats/intents', draft)).body.id
    },
  }
}

const BOT_EVENTS = ['intent_identified', 'robot_replied']

/** Events of the bot as the API lists them, newest first. */
async function listed({ w }: Shop, filter: string): Promise<object[]> {
  const { status, body } = await w.admin.browser.get(`/web/v4/events?${filter}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body._embedded.events
    .filter(({ type }: ShownEvent) => BOT_EVENTS.includes(type))
    .map(({ type, entity_type, entity_id, created_by, value_after, _embedded }: ShownEvent) => ({
      ...{ type, entity_type, entity_id, created_by, value_after },
      linked: _embedded.entity.linked_talk_contact_id,
    }))
}

interface ShownEvent {
  type: string
  entity_type: string
  entity_id: number
  created_by: number
  value_after: unknown[]
  _embedded: { entity: { linked_talk_contact_id?: number } }
}

describe('A message that contains the phrase of an intent', () => {
  test('gets an answer, which is recorded as events, signed and delivered', async () => {
    const at = await shop()
    const { w, here, callback } = at
    const id = await at.listensFor('delivery')
    const chat_id = await at.says('Hello! How much is DELIVERY?')
    const { body: chat } = await w.admin.browser.get(`/web/v4/chats/${chat_id}`)
    // Nobody has read it: the bot reads for nobody.
    expect(chat).toMatchObject({
      unread_count: 1,
      is_in_work: true,
      last_message: {
        direction: 'out',
        origin: 'bot',
        type: 'text',
        text: 'About delivery',
        state: 'pending',
        author: { type: 'bot', id: null, name: 'Bot' },
      },
    })
    const about = (type: string) => ({
      ...{ type, entity_type: 'lead', entity_id: chat.lead_id, created_by: 0 },
      value_after: [{ helpbot: { id } }],
      linked: chat.contact_id,
    })
    const answered = [about('robot_replied'), about('intent_identified')]
    expect(await listed(at, `filter[entity]=lead&filter[entity_id]=${chat.lead_id}`)).toEqual(answered)
    expect(await listed(at, 'filter[type]=robot_replied')).toEqual([answered[0]])
    expect(await listed(at, 'filter[type]=intent_identified')).toEqual([answered[1]])
    const types = (await log(w.ctx)).map(({ type }) => type)
    expect(types.slice(types.indexOf('incoming_chat_message'))).toEqual([
      'incoming_chat_message',
      'intent_identified',
      'outgoing_chat_message',
      'robot_replied',
    ])

    await w.app.deliveries.runDue()
    const [request, ...more] = callback.received
    expect(more).toEqual([])
    expect(request?.path).toBe(`/to/${here.scope_id}`)
    expect(JSON.parse(request?.body ?? '')).toEqual({
      receiver: 's-1',
      conversation_id: 'c-1',
      type: 'text',
      text: 'About delivery',
    })
    expect(request?.headers['x-signature']).toBe(signatureOf(here.channel.secret, request?.body ?? ''))
    const { body: after } = await w.admin.browser.get(`/web/v4/chats/${chat_id}`)
    expect(after.last_message.state).toBe('delivered')
  })

  test('in a chat whose lead is in the trash records its events on the contact', async () => {
    const at = await shop()
    const id = await at.listensFor('delivery')
    const chat_id = await at.says('Hello')
    const { body: chat } = await at.w.admin.browser.get(`/web/v4/chats/${chat_id}`)
    await at.w.admin.browser.delete(`/web/v4/leads/${chat.lead_id}`)
    await at.says('And delivery?')
    const about = (type: string) => ({
      ...{ type, entity_type: 'contact', entity_id: chat.contact_id, created_by: 0 },
      value_after: [{ helpbot: { id } }],
      linked: undefined,
    })
    expect(await listed(at, 'filter[entity][]=contact&filter[entity][]=lead')).toEqual([
      about('robot_replied'),
      about('intent_identified'),
    ])
  })

  test('gets the answer of the longest phrase, or of the older intent if two are equally long', async () => {
    const at = await shop()
    await at.listensFor('price')
    await at.listensFor('price of delivery')
    await at.listensFor('delivery')
    await at.says('What is the price of delivery?')
    await at.says('Delivery? Price?')
    await at.says('A price')
    expect(await at.answers()).toEqual([
      'bot: About price of delivery',
      'bot: About delivery',
      'bot: About price',
    ])
  })

  test('gets the answer that the intent has now, and none after the intent was deleted', async () => {
    const at = await shop()
    const id = await at.listensFor('price')
    const of = `/web/v4/chats/intents/${id}`
    await at.w.admin.browser.patch(of, { phrases: ['cost'], answer: 'Ten' })
    await at.says('price')
    await at.says('cost')
    await at.w.admin.browser.delete(of)
    await at.says('cost')
    expect(await at.answers()).toEqual(['bot: Ten'])
  })
})

describe('The bot says nothing', () => {
  test('without intents, to a text that matches none, and to intents of other accounts', async () => {
    const at = await shop()
    const stranger = await at.w.addPerson({ account: await at.w.addAccount('other'), is_admin: true })
    const draft = { name: 'Price', phrases: ['price'], answer: 'Ours' }
    expect((await stranger.browser.post('/web/v4/chats/intents', draft)).status).toBe(200)
    await at.says('price')
    await at.listensFor('delivery')
    await at.says('price')
    expect(await at.answers()).toEqual([])
    expect((await log(at.w.ctx)).filter(({ type }) => BOT_EVENTS.includes(type))).toEqual([])
  })

  test('when a message is repeated', async () => {
    const at = await shop()
    await at.listensFor('price')
    await at.says('price', { msgid: 'm-x' })
    await at.says('price', { msgid: 'm-x' })
    expect(await at.answers()).toEqual(['bot: About price'])
  })

  test('to messages without text', async () => {
    const at = await shop()
    await at.listensFor('price')
    const message = {
      type: 'picture',
      text: 'price',
      media: 'https://cdn.example/a.png',
      file_name: 'a.png',
      file_size: 1,
    }
    await at.says('', { message })
    expect(await at.answers()).toEqual([])
  })

  test('to edits, to imported history and to messages of users', async () => {
    const at = await shop({ protocol: 'live' })
    const { w, here } = at
    await at.listensFor('price')
    const chat_id = await at.says('Hello', { msgid: 'm-x' })
    const edit = {
      event_type: 'edit_message',
      payload: { msgid: 'm-x', message: { type: 'text', text: 'price' } },
    }
    expect((await here.call('POST', `/${here.scope_id}`, edit)).status).toBe(200)
    await at.says('price', { silent: true })
    const { body: ada } = await w.admin.browser.get(`/web/v4/users/${w.admin.id}?with=amojo_id`)
    const sender = { id: 'app', name: 'Ada', ref_id: ada.amojo_id }
    await at.says('The price is 10', { sender, receiver: { id: 's-1', name: 'Sue' } })
    await w.admin.browser.post(`/web/v4/chats/${chat_id}/messages`, { text: 'The price was 9' })
    expect(await at.answers()).toEqual(['channel: The price is 10', 'person: The price was 9'])
  })

  test('in a stopped channel, but records the intent', async () => {
    const at = await shop()
    await at.listensFor('price')
    at.callback.answer = (_request, response) => response.writeHead(410).end()
    await at.says('price')
    await at.w.app.deliveries.runDue()
    await at.says('price again')
    expect(await at.answers()).toEqual(['bot: About price'])
    const types = (await log(at.w.ctx)).map(({ type }) => type).filter((type) => BOT_EVENTS.includes(type))
    expect(types).toEqual(['intent_identified', 'robot_replied', 'intent_identified'])
  })
})

describe('A customer who repeats the question', () => {
  test('gets ten answers, and more after a person writes or an hour has passed', async () => {
    const at = await shop()
    const { w } = at
    await at.listensFor('price')
    const ask = async (times: number) => {
      let chat_id = ''
      for (let i = 0; i < times; i++) chat_id = await at.says('price')
      return chat_id
    }
    const count = async () => (await at.answers()).filter((one) => one.startsWith('bot')).length
    const chat_id = await ask(12)
    expect(await count()).toBe(10)
    // The person has not written in the other chat.
    await at.says('price', { conversation_id: 'c-2' })
    expect(await count()).toBe(11)
    w.clock.advance(3_599)
    await ask(1)
    expect(await count()).toBe(11)
    await w.admin.browser.post(`/web/v4/chats/${chat_id}/messages`, { text: 'I am here.' })
    await ask(12)
    expect(await count()).toBe(21)
    w.clock.advance(3_600)
    await ask(12)
    expect(await count()).toBe(31)
  })
})
