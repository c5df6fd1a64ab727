import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { connected } from '../../../test/fixtures/chats.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { customer, storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'

const BOTS = '/web/v4/bots'

/** A customer who asked for the price, which the bot answers. */
async function chatting() {
  const w = await world()
  const { browser } = w.admin
  const here = await connected(w)
  await browser.post('/web/v4/chats/intents', { name: 'Price', phrases: ['price'], answer: 'A hundred.' })
  const [bot] = (await browser.get(BOTS)).body._embedded.items
  let count = 0
  const asks = async (text = 'The price?', who = 'Sue') => {
    const sender = customer({ id: `s-${who}`, name: who })
    const push = textPush(`m-${++count}`, {
      conversation_id: `c-${who}`,
      sender,
      message: { type: 'text', text },
    })
    expect((await here.push(push)).status).toBe(200)
  }
  await asks('Hello')
  const chat = async () => (await browser.get('/web/v4/chats')).body._embedded.chats[0]
  const texts = async () => (await storedMessages(w.ctx)).map(({ origin, text }) => `${origin}: ${text}`)
  return { w, here, browser, bot, asks, chat, texts }
}

describe('The bot of an account', () => {
  test('exists from the beginning, and is active when it has an intent or a greeting', async () => {
    const w = await world()
    const { browser } = w.admin
    const { body } = await browser.get(`${BOTS}?with=favorite`)
    const [{ id }] = body._embedded.items
    const bot = {
      id,
      name: 'Reply bot',
      type_functionality: 'regular',
      can_interrupt: false,
      type: 2,
      settings: {
        silent: false,
        active: false,
        is_sandbox: false,
        is_broadcast_sandbox: false,
        readonly: false,
      },
      greeting: '',
    }
    const href = `http://${browser.identity.host}${BOTS}?with=favorite&page=1&limit=50`
    expect(body).toEqual({
      _total_items: 1,
      _page: 1,
      _page_count: 1,
      _links: { self: { href } },
      _embedded: { items: [{ ...bot, is_favorite: false }] },
    })
    const active = { ...bot, settings: { ...bot.settings, active: true }, greeting: 'Hello!', name: 'Robbie' }
    const changed = await browser.patch(`${BOTS}/${id}`, { greeting: 'Hello!', name: 'Robbie', id: 99 })
    expect([changed.status, changed.body]).toEqual([200, { ...active, is_visual_editor: false }])
    expect((await browser.get(`${BOTS}/${id}`)).body).toEqual(changed.body)
    const { body: log } = await browser.get('/web/audit?area=chats')
    expect([log.entries[0].action, log.entries[0].details]).toEqual([
      'bot.changed',
      { id, name: 'Robbie', changed: ['name', 'greeting'] },
    ])
  })

  test('is found by its id and functionality; what is unknown is 204', async () => {
    const { browser } = (await world()).admin
    const [{ id }] = (await browser.get(BOTS)).body._embedded.items
    for (const query of [
      `filter[id][]=${id}`,
      'filter[type_functionality][]=regular&filter[type_functionality][]=nps',
    ])
      expect((await browser.get(`${BOTS}?${query}`)).body._embedded.items.length).toBe(1)
    for (const path of [
      `?filter[id][]=${id + 1}`,
      '?filter[type_functionality][]=nps',
      '?page=2',
      `/${id + 1}`,
    ])
      expect((await browser.get(`${BOTS}${path}`)).status).toBe(204)
    expect((await browser.get(`${BOTS}?filter[type_functionality]=other`)).status).toBe(400)
    expect((await browser.patch(`${BOTS}/${id + 1}`, { name: 'B' })).status).toBe(404)
    for (const body of [{ name: '' }, { greeting: 5 }])
      expect((await browser.patch(`${BOTS}/${id}`, body)).status).toBe(400)
  })
})

describe('Stopping and running the bot (C18)', () => {
  test('the bot is silent from the stop to the run', async () => {
    const { browser, bot, asks, chat, texts } = await chatting()
    const { lead_id: entity_id, version } = await chat()
    const lead = { entity_id, entity_type: 'leads' }
    const stopped = await browser.post(`${BOTS}/${bot.id}/stop`, lead)
    expect([stopped.status, stopped.text]).toEqual([202, ''])
    expect(await chat()).toMatchObject({ is_bot_stopped: true, version: version + 1 })
    // Again: nothing changes.
    await browser.post(`${BOTS}/${bot.id}/stop`, lead)
    expect((await chat()).version).toBe(version + 1)
    await asks()
    expect(await texts()).toEqual(['channel: Hello', 'channel: The price?'])
    const ran = await browser.post(`${BOTS}/${bot.id}/run`, lead)
    expect([ran.status, ran.text]).toEqual([202, ''])
    expect((await chat()).is_bot_stopped).toBe(false)
    await asks()
    expect((await texts()).slice(2)).toEqual(['channel: The price?', 'bot: A hundred.'])
  })

  onEmbedded('a new talk has the bot again', async () => {
    const { browser, bot, asks, chat, texts } = await chatting()
    const { contact_id, talk_id } = await chat()
    await browser.post(`${BOTS}/${bot.id}/stop`, { entity_id: contact_id, entity_type: 'contacts' })
    await browser.post(`/web/v4/talks/${talk_id}/close`, {})
    await asks()
    expect((await chat()).is_bot_stopped).toBe(false)
    expect((await texts()).at(-1)).toBe('bot: A hundred.')
  })

  onEmbedded('a run sends the greeting once for each record, as the bot', async () => {
    const { browser, bot, asks, chat, texts } = await chatting()
    await browser.patch(`${BOTS}/${bot.id}`, { greeting: 'How can I help?' })
    const { lead_id, contact_id } = await chat()
    const run = { bot_id: bot.id, entity_id: lead_id, entity_type: 'leads' }
    expect((await browser.post(`${BOTS}/run`, [run, run])).status).toBe(202)
    expect((await texts()).slice(1)).toEqual(['bot: How can I help?'])
    expect((await chat()).last_message).toMatchObject({ direction: 'out', author: { type: 'bot' } })
    // The bot does not mark the chat as read.
    expect((await chat()).is_read).toBe(false)
    await asks('Hello', 'Tom')
    const one = { bot_id: bot.id, entity_id: contact_id, entity_type: 1 }
    const { lead_id: toms } = await chat()
    await browser.post(`${BOTS}/run`, [
      one,
      { bot_id: String(bot.id), entity_id: String(toms), entity_type: '2' },
    ])
    expect((await texts()).filter((text) => text.startsWith('bot')).length).toBe(3)
  })

  test('a record without a chat is accepted, and nothing happens', async () => {
    const { browser, bot, texts } = await chatting()
    const { body } = await browser.post('/web/v4/leads', [{ name: 'Quiet' }])
    const { id } = body._embedded.leads[0]
    expect(
      (await browser.post(`${BOTS}/${bot.id}/run`, { entity_id: id, entity_type: 'leads' })).status,
    ).toBe(202)
    expect(await texts()).toEqual(['channel: Hello'])
  })

  onEmbedded('what cannot be run is refused completely', async () => {
    const { browser, bot, chat, texts } = await chatting()
    await browser.patch(`${BOTS}/${bot.id}`, { greeting: 'Hello!' })
    const { lead_id: entity_id } = await chat()
    const lead = { entity_id, entity_type: 'leads' }
    const { status, body } = await browser.post(`${BOTS}/run`, [
      { bot_id: bot.id, ...lead },
      { bot_id: bot.id + 1, ...lead },
      { bot_id: bot.id, entity_id: 9_999_999, entity_type: 'contacts' },
      { bot_id: bot.id, entity_id, entity_type: 3 },
    ])
    const faults = body['validation-errors'].map(
      ({ request_id, errors }: { request_id: string; errors: { path: string; code: string }[] }) => [
        request_id,
        ...errors.map(({ path, code }) => `${path} ${code}`),
      ],
    )
    expect([status, faults]).toEqual([
      400,
      [
        ['1', 'bot_id NotSupportedChoice'],
        ['2', 'entity_id NotSupportedChoice'],
        ['3', 'entity_type NotSupportedChoice'],
      ],
    ])
    const unknown = await browser.post(`${BOTS}/${bot.id + 1}/run`, lead)
    expect(unknown.body['validation-errors'][0].errors[0]).toMatchObject({
      path: 'bot_id',
      code: 'NotSupportedChoice',
    })
    expect((await browser.post(`${BOTS}/run`, Array(101).fill({ bot_id: bot.id, ...lead }))).status).toBe(400)
    expect(await texts()).toEqual(['channel: Hello'])
  })

  test('a person runs it for records that they can edit', async () => {
    const { w, bot, chat } = await chatting()
    const { lead_id: entity_id } = await chat()
    const of = { view: 'A', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const
    const me = await w.addPerson({ name: 'Me', rights: completeRights({ leads: of, contacts: of }) })
    const stop = () => me.browser.post(`${BOTS}/${bot.id}/stop`, { entity_id, entity_type: 'leads' })
    expect((await stop()).status).toBe(400)
    await w.admin.browser.patch(`/web/v4/leads/${entity_id}`, { responsible_user_id: me.id })
    expect((await stop()).status).toBe(202)
    expect((await chat()).is_bot_stopped).toBe(true)
  })
})

describe('Continuing for an integration (C19)', () => {
  const waiting = async (open: Awaited<ReturnType<typeof chatting>>) => {
    const { last_message } = await open.chat()
    const resume = (body: object, id = last_message.id, bot = open.bot.id) =>
      open.browser.post(`/web/v4/salesbot/${bot}/continue/${id}`, body)
    return { resume, message: last_message }
  }
  const show = (value: string, more: object = {}) => ({
    handler: 'show',
    params: { type: 'text', value, ...more },
  })

  test('shows texts and buttons as the bot up to the end, once', async () => {
    const open = await chatting()
    const { resume } = await waiting(open)
    const answer = await resume({
      data: { found: true },
      execute_handlers: [
        show('We found it.'),
        show('Which one?', { type: 'buttons', buttons: ['Red', 'Blue'] }),
        { handler: 'goto', params: { type: 'finish' } },
        show('Never shown'),
      ],
    })
    expect([answer.status, answer.text]).toEqual([202, ''])
    expect(await open.texts()).toEqual(['channel: Hello', 'bot: We found it.', 'bot: Which one?\nRed\nBlue'])
    const again = await resume({ execute_handlers: [show('Again')] })
    expect([again.status, again.body.detail]).toEqual([404, 'There is no continue record with id'])
  })

  onEmbedded('is not found for another bot, an unknown message, a closed talk or a stopped bot', async () => {
    const open = await chatting()
    const { resume } = await waiting(open)
    const { talk_id, lead_id } = await open.chat()
    const body = { execute_handlers: [show('Hi')] }
    expect((await resume(body, undefined, open.bot.id + 1)).status).toBe(404)
    expect((await resume(body, '5')).status).toBe(404)
    await open.browser.post(`${BOTS}/${open.bot.id}/stop`, { entity_id: lead_id, entity_type: 'leads' })
    expect((await resume(body)).status).toBe(404)
    await open.browser.post(`${BOTS}/${open.bot.id}/run`, { entity_id: lead_id, entity_type: 'leads' })
    expect((await resume({})).status).toBe(202)
    await open.browser.post(`/web/v4/talks/${talk_id}/close`, {})
    expect((await resume(body)).status).toBe(404)
    expect(await open.texts()).toEqual(['channel: Hello'])
  })

  onEmbedded.each([
    ['a step', { handler: 'goto', params: { type: 'question', step: 5 } }, 'params.type'],
    ['a blank text', show(' '), 'params.value'],
    ['a long text', show('x'.repeat(81)), 'params.value'],
    ['no buttons', show('Which?', { type: 'buttons' }), 'params.buttons'],
    ['too many buttons', show('Which?', { type: 'buttons', buttons: Array(26).fill('x') }), 'params.buttons'],
    ['an end that is shown', show('Hi', { type: 'finish' }), 'params.type'],
  ])('%s is refused', async (_what, handler, path) => {
    const open = await chatting()
    const { resume } = await waiting(open)
    const { status, body } = await resume({ execute_handlers: [show('First'), handler] })
    expect([status, body['validation-errors'][0].errors[0].path]).toEqual([400, `execute_handlers.1.${path}`])
    expect(await open.texts()).toEqual(['channel: Hello'])
  })
})

describe('POST /api/v2/salesbot/run', () => {
  onEmbedded('takes one run or several, with numbers as texts', async () => {
    const open = await chatting()
    const shop = await register(open.w.admin)
    const { access_token } = await connect(open.w.stranger, shop)
    const api = open.w.stranger.as({ token: access_token })
    await open.browser.patch(`${BOTS}/${open.bot.id}`, { greeting: 'Hello!' })
    const { lead_id } = await open.chat()
    const run = { bot_id: String(open.bot.id), entity_id: String(lead_id), entity_type: '2' }
    for (const body of [run, [run]]) {
      const answer = await api.post('/api/v2/salesbot/run', body)
      const href = `http://${open.browser.identity.host}/api/v2/salesbot/run`
      expect([answer.status, answer.body]).toEqual([
        202,
        { success: true, _links: { self: { href, method: 'post' } } },
      ])
    }
    expect((await open.texts()).slice(1)).toEqual(['bot: Hello!', 'bot: Hello!'])
    const refused = await api.post('/api/v2/salesbot/run', [{ ...run, bot_id: 9_999 }])
    expect([refused.status, refused.body['validation-errors'][0].errors[0].path]).toEqual([400, 'bot_id'])
    expect((await open.w.stranger.post('/api/v2/salesbot/run', run)).status).toBe(401)
  })
})
