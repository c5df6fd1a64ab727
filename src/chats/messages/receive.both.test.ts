import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { connected, type provider, send, signed } from '../../../test/fixtures/chats.ts'
import { chatTraces, closeTalks, customer, storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { log } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'
import type { Context } from '../../context.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function shop(draft: Parameters<typeof connected>[1] = {}) {
  const here = await world()
  return { ...here, ...(await connected(here, draft)) }
}

const onlyConversation = (ctx: Context) =>
  ctx.db.selectFrom('conversations').selectAll().executeTakeFirstOrThrow()

const error = (error_code: number, error_type: string, error_description: string) => ({
  status: 0,
  error_code,
  error_type,
  error_description,
})

describe('A push', () => {
  test('returns our ids of the message, its chat and its sender', async () => {
    const { push, ctx } = await shop()
    const { status, body, headers } = await push(textPush('m-1'))
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    const [message] = await storedMessages(ctx)
    const [conversation] = await ctx.db.selectFrom('conversations').selectAll().execute()
    expect(body).toEqual({
      new_message: {
        conversation_id: conversation?.id,
        sender_id: conversation?.sender_id,
        receiver_id: null,
        msgid: message?.id,
        ref_id: 'm-1',
      },
    })
    for (const id of [message?.id, conversation?.id, conversation?.sender_id]) expect(id).toMatch(UUID)
    expect(conversation).toMatchObject({
      ...{ external_id: 'c-1', is_in_work: 1, unread_count: 1, last_position: 1, version: 2 },
      ...{ last_message_id: message?.id, last_message_at: ctx.now(), changed_at: ctx.now() },
    })
  })

  test('adds its message to the end of the conversation, which counts unread messages', async () => {
    const { push, ctx } = await shop()
    for (const msgid of ['a', 'b', 'c']) expect((await push(textPush(msgid))).status).toBe(200)
    const messages = await storedMessages(ctx)
    expect(messages.map(({ external_id, position }) => [external_id, position])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ])
    const conversations = await ctx.db
      .selectFrom('conversations')
      .select(['unread_count', 'last_position', 'version'])
      .execute()
    expect(conversations).toEqual([{ unread_count: 3, last_position: 3, version: 4 }])
  })

  test('has an id for each of several people in one conversation', async () => {
    const { push, ctx } = await shop()
    await push(textPush('a'))
    await push(
      textPush('b', { sender: customer({ id: 's-2', name: 'Tom', profile: { phone: 79_000_000_001 } }) }),
    )
    const senders = await ctx.db
      .selectFrom('chat_senders')
      .select(['id', 'external_id', 'name', 'phone'])
      .orderBy('external_id')
      .execute()
    expect(senders.map(({ id: _, ...rest }) => rest)).toEqual([
      { external_id: 's-1', name: 'Sue Brook', phone: null },
      { external_id: 's-2', name: 'Tom', phone: '79000000001' },
    ])
    expect((await storedMessages(ctx)).map(({ sender_id }) => sender_id)).toEqual(senders.map(({ id }) => id))
    const contacts = await ctx.db
      .selectFrom('entities')
      .select('name')
      .where('entity_type', '=', 'contacts')
      .execute()
    expect(contacts).toEqual([{ name: 'Sue Brook' }])
  })

  test('changes the name of its sender; absent members keep their values', async () => {
    const { push, ctx } = await shop()
    await push(
      textPush('a', {
        sender: customer({ profile_link: 'https://x.example/sue', profile: { email: 's@x.example' } }),
      }),
    )
    await push(textPush('b', { sender: customer({ name: 'Sue Lake', avatar: 'https://cdn.example/2.png' }) }))
    expect(
      await ctx.db.selectFrom('chat_senders').select(['name', 'avatar', 'profile_link', 'email']).execute(),
    ).toEqual([
      {
        name: 'Sue Lake',
        avatar: 'https://cdn.example/2.png',
        profile_link: 'https://x.example/sue',
        email: 's@x.example',
      },
    ])
  })

  test('is recorded in the log with every change that it caused, by user 0', async () => {
    const { push, ctx, channel, admin } = await shop()
    const { body } = await push(textPush('m', { sender: customer({ profile: { email: 's@x.example' } }) }))
    const events = await log(ctx)
    expect(events.map(({ type, entity, by }) => [type, entity[0], by])).toEqual([
      ['contact_added', 'contact', 0],
      ['custom_field_value_changed', 'contact', 0],
      ['lead_added', 'lead', 0],
      ['contact_linked', 'lead', 0],
      ['lead_linked', 'contact', 0],
      ['incoming_chat_message', 'lead', 0],
    ])
    const { contact_id, lead_id, talk_id } = await onlyConversation(ctx)
    const after = [{ message: { id: body.new_message.msgid, talk_id, origin: channel.id } }]
    expect(events.at(-1)).toEqual({
      type: 'incoming_chat_message',
      entity: ['lead', lead_id],
      by: 0,
      before: [],
      after,
    })
    const read = async (query: string) =>
      (await admin.browser.get(`/web/v4/events?${query}`)).body._embedded.events
    const [event, ...others] = await read('filter[type]=incoming_chat_message')
    expect(others).toEqual([])
    expect(event).toMatchObject({
      entity_id: lead_id,
      entity_type: 'lead',
      created_by: 0,
      value_after: after,
      value_before: [],
    })
    expect(event._embedded.entity).toMatchObject({ id: lead_id, linked_talk_contact_id: contact_id })
    const ofLead = await read(
      `filter[entity]=lead&filter[entity_id]=${lead_id}&filter[type]=incoming_chat_message`,
    )
    expect(ofLead).toEqual([event])
    const types = 'filter[type]=incoming_chat_message,outgoing_chat_message'
    for (const query of [
      types,
      `filter[entity]=contact&${types}`,
      `filter[entity]=lead,contact&${types}`,
      `filter[entity]=contact&filter[entity_id]=${contact_id}&${types}`,
      `filter[entity]=contact&filter[entity_id]=${contact_id},${contact_id + 1}&${types}`,
    ])
      expect(await read(query)).toEqual([event])
    // Without the type, the filter by the contact selects the index.
    const all: { id: string; type: string; entity_type: string }[] = await read('limit=100')
    const ofContact = all.filter(({ id, entity_type }) => entity_type === 'contact' || id === event.id)
    expect(ofContact.length).toBeGreaterThan(3)
    expect(await read('filter[entity]=contact')).toEqual(ofContact)
    expect(await read('filter[entity]=contact,task')).toEqual(ofContact)
    expect(await read(`filter[entity]=contact&filter[entity_id]=${contact_id}`)).toEqual(ofContact)
    const both = all.filter(({ entity_type }) => entity_type === 'contact' || entity_type === 'lead')
    expect(await read('filter[entity]=lead,contact')).toEqual(both)
    for (const none of [
      `contact&filter[entity_id]=${contact_id + 1}`,
      'task',
      `task&filter[entity_id]=${contact_id}`,
    ])
      expect(await read(`filter[entity]=${none}&${types}`)).toEqual([])
  })

  test('is recorded on the contact if the lead is in the trash', async () => {
    const { push, ctx, admin } = await shop()
    await push(textPush('a'))
    const { contact_id, lead_id } = await onlyConversation(ctx)
    expect((await admin.browser.delete(`/web/v4/leads/${lead_id}`)).status).toBe(204)
    expect((await push(textPush('b'))).status).toBe(200)
    expect((await log(ctx)).at(-1)).toMatchObject({
      type: 'incoming_chat_message',
      entity: ['contact', contact_id],
    })
    // The talk is open: it stays with the lead that it is about.
    expect(await ctx.db.selectFrom('conversations').select(['lead_id', 'talk_id']).execute()).toEqual([
      { lead_id, talk_id: 1 },
    ])
  })
})

describe('The reply bot', () => {
  test('answers in the transaction of an incoming text, and the delivery begins at once', async () => {
    const here = await shop({ protocol: 'live' })
    const intent = { name: 'Opening', phrases: ['opening hours'], answer: 'From nine to five.' }
    expect((await here.admin.browser.post('/web/v4/chats/intents', intent)).status).toBe(200)
    let rung = 0
    here.ctx.queued.onRing(() => rung++)
    const message = { type: 'text', text: 'What are your opening hours?' }
    expect((await here.push(textPush('m', { message }))).status).toBe(200)
    const messages = await storedMessages(here.ctx)
    expect(messages.map(({ origin, text }) => [origin, text])).toEqual([
      ['channel', message.text],
      ['bot', intent.answer],
    ])
    expect(rung).toBe(1)
    expect((await log(here.ctx)).slice(-4).map(({ type }) => type)).toEqual([
      'incoming_chat_message',
      'intent_identified',
      'outgoing_chat_message',
      'robot_replied',
    ])
    // Neither to what is brought along silently, nor to a caption, nor to the same message again.
    const caption = { type: 'picture', media: 'https://cdn.example/a.png', text: message.text }
    await here.push(textPush('m', { message }))
    await here.push(textPush('n', { message, silent: true }))
    await here.push(textPush('o', { message: caption }))
    expect((await storedMessages(here.ctx)).filter(({ origin }) => origin === 'bot').length).toBe(1)
  })
})

describe('A repeated msgid', () => {
  test('with the same payload gets the first answer, and changes nothing', async () => {
    const { push, call, scope_id, ctx } = await shop()
    const first = await push(textPush('m', { anything: { a: 1, b: [2] } }))
    await push(textPush('n'))
    await closeTalks(ctx)
    const before = await chatTraces(ctx)
    // Another order of members, other spaces, another way to write a number and a text.
    const { conversation_id, sender, message } = textPush('m')
    const same = `{ "payload": {"anything":{"b":[2.0],"a":1}, "message": ${JSON.stringify(message).replace('Is', '\\u0049s')},
      "sender": ${JSON.stringify(Object.fromEntries(Object.entries(sender).reverse()))},
      "conversation_id": "${conversation_id}", "msgid": "m", "timestamp": 17723660e2 }, "event_type": "new_message" }`
    const again = await call('POST', `/${scope_id}`, same)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(await chatTraces(ctx)).toEqual(before)
    expect(await ctx.db.selectFrom('conversations').select(['is_in_work', 'version']).execute()).toEqual([
      { is_in_work: 0, version: 3 },
    ])
  })

  test('with any other payload is a conflict, and leaves no trace', async () => {
    const { push, ctx } = await shop()
    await push(textPush('m'))
    await push(textPush('other'))
    const before = await chatTraces(ctx)
    const others = [
      textPush('m', { timestamp: 1 }),
      textPush('m', { message: { type: 'text', text: 'Is it still there? ' } }),
      textPush('m', { sender: customer({ name: 'Tom' }) }),
      textPush('m', { sender: customer({ id: 's-9' }) }),
      textPush('m', { conversation_id: 'c-2' }),
      textPush('m', { anything: 1 }),
    ]
    for (const payload of others) {
      const { status, body } = await push(payload)
      expect([status, body]).toEqual([
        409,
        error(409, 'CONFLICT', 'A message with this msgid was received before with another payload.'),
      ])
    }
    expect(await chatTraces(ctx)).toEqual(before)
    expect(await ctx.db.selectFrom('chat_senders').select('name').execute()).toEqual([{ name: 'Sue Brook' }])
  })

  test('in another scope is another message', async () => {
    const here = await shop()
    const there = await connected(here)
    const answers = [await here.push(textPush('m')), await there.push(textPush('m'))]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map(({ body }) => body.new_message.msgid)).size).toBe(2)
    expect((await storedMessages(here.ctx)).map(({ channel_id }) => channel_id).sort()).toEqual(
      [here.channel.id, there.channel.id].sort(),
    )
  })
})

describe('A push is refused if it', () => {
  test('is unsigned or from another channel, or its body cannot be read', async () => {
    const here = await shop()
    const other = await connected(here, { name: 'Other' })
    const before = await chatTraces(here.ctx)
    const url = `/v2/origin/custom/${here.scope_id}`
    const body = JSON.stringify({ event_type: 'new_message', payload: textPush('m') })
    const forged = await send(here, 'POST', url, body, { 'content-type': 'application/json' })
    expect([forged.status, forged.body.error_type]).toEqual([403, 'ORIGIN_INVALID_SIGNATURE'])
    const foreign = await send(here, 'POST', url, body, signed(other.channel.secret, body))
    expect([foreign.status, foreign.body.error_type]).toEqual([403, 'ORIGIN_INVALID_SIGNATURE'])
    for (const text of [
      'null',
      '[]',
      '"x"',
      '5',
      '{',
      '{"event_type":"new_message","payload":{"msgid":"a","msgid":"b"}}',
    ]) {
      const { status, body } = await here.call('POST', `/${here.scope_id}`, text)
      expect([text, status, body.error_type]).toEqual([text, 400, 'INVALID'])
    }
    expect(await chatTraces(here.ctx)).toEqual(before)
  })

  test('has an event type that the protocol does not have', async () => {
    const here = await shop()
    const live = await connected(here, { protocol: 'live' })
    const choice = {
      path: 'event_type',
      code: 'NotSupportedChoice',
      detail: expect.stringMatching(/^The value you selected is not a valid choice\. It should be /),
    }
    const missing = { path: 'event_type', code: 'FieldMissing', detail: 'This field is missing.' }
    const payload = textPush('m')
    for (const event_type of ['edit_message', 'typing', '']) {
      const { status, body } = await here.call('POST', `/${here.scope_id}`, { event_type, payload })
      expect([status, body.errors]).toEqual([400, [choice]])
    }
    expect(
      (await live.call('POST', `/${live.scope_id}`, { event_type: 'typing', payload })).body.errors,
    ).toEqual([choice])
    expect((await here.call('POST', `/${here.scope_id}`, { payload })).body.errors).toEqual([missing])
    expect((await here.call('POST', `/${here.scope_id}`, { event_type: 'new_message' })).body.errors).toEqual(
      [{ ...missing, path: 'payload' }],
    )
    expect(await storedMessages(here.ctx)).toEqual([])
  })

  test('is for an account that is not connected: never, no longer, or another one', async () => {
    const here = await shop()
    const stranger = await here.addAccount('stranger')
    const unknown = error(404, 'ORIGIN_NOT_REGISTERED', 'NOT_FOUND')
    const before = await chatTraces(here.ctx)
    const push = (scope: string) =>
      here.call('POST', `/${scope}`, { event_type: 'new_message', payload: textPush('m') })
    const sentence = 'This channel is not connected to this account, connect it first.'
    const unconnected = error(404, 'ACCOUNT_NOT_CONNECTED', sentence)
    for (const scope of [here.channel.id, `${here.scope_id}x`]) {
      const { status, body } = await push(scope)
      expect([scope, status, body]).toEqual([scope, 404, unknown])
    }
    const never = await push(`${here.channel.id}_${stranger.amojo_id}`)
    expect([never.status, never.body]).toEqual([404, unconnected])
    expect(
      (await here.call('POST', `/${here.channel.id}/disconnect`, { account_id: here.account.amojo_id }))
        .status,
    ).toBe(200)
    const after = await push(here.scope_id)
    expect([after.status, after.body]).toEqual([404, unconnected])
    expect(await chatTraces(here.ctx)).toEqual(before)
  })

  test('is for a deleted channel, but not for a stopped one, which only stops callbacks', async () => {
    const here = await shop()
    await here.ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('channels').set({ state: 'stopped', stop_reason: 'gone', stopped_at: 5 }).execute(),
      )
    expect((await here.push(textPush('m'))).status).toBe(200)
    expect((await here.admin.browser.delete(`/web/channels/${here.channel.id}`)).status).toBe(204)
    expect((await here.push(textPush('n'))).status).toBe(404)
    expect((await storedMessages(here.ctx)).length).toBe(1)
  })

  onEmbedded('arrives while its account is disconnected', async () => {
    const here = await shop()
    const answers = await Promise.all([
      here.call('POST', `/${here.channel.id}/disconnect`, { account_id: here.account.amojo_id }),
      ...Array.from({ length: 10 }, (_, i) => here.push(textPush(`m${i}`))),
    ])
    const taken = answers.slice(1).filter(({ status }) => status === 200).length
    for (const { status } of answers.slice(1)) expect([200, 404]).toContain(status)
    expect((await storedMessages(here.ctx)).length).toBe(taken)
  })
})

describe('With the live protocol', () => {
  const edit = (here: { call: ReturnType<typeof provider>['call']; scope_id: string }, payload: object) =>
    here.call('POST', `/${here.scope_id}`, { event_type: 'edit_message', payload })

  test('an edit changes the text of a message, named by our id or the provider’s; the same text changes nothing', async () => {
    const here = await shop({ protocol: 'live' })
    const { new_message } = (await here.push(textPush('m'))).body
    here.clock.advance(60)
    const message = { type: 'text', text: 'Still there?' }
    const answers = [
      await edit(here, { msgid: 'm', message }),
      await edit(here, { id: new_message.msgid, message }),
      await edit(here, { id: new_message.msgid, msgid: null, message: { text: 'Gone?' } }),
    ]
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { new_message }])
    const [row] = await storedMessages(here.ctx)
    expect(row).toMatchObject({ text: 'Gone?', edited_at: here.clock.now(), position: 1 })
    expect(
      await here.ctx.db.selectFrom('conversations').select(['version', 'unread_count']).execute(),
    ).toEqual([{ version: 4, unread_count: 1 }])
  })

  onEmbedded('an invalid edit is refused and leaves no trace', async () => {
    const here = await shop({ protocol: 'live' })
    const other = await connected(here, { protocol: 'live' })
    const { new_message } = (await other.push(textPush('theirs'))).body
    await here.push(textPush('m'))
    const before = [await storedMessages(here.ctx), await chatTraces(here.ctx)]
    const message = { text: 'x' }
    const cases: [payload: object, status: number, path?: string][] = [
      [{ msgid: 'unknown', message }, 404],
      [{ msgid: 'theirs', message }, 404],
      [{ id: new_message.msgid, message }, 404],
      [{ id: 'no uuid', message }, 404],
      [{ message }, 400, 'payload.msgid'],
      [{ id: null, msgid: null, message }, 400, 'payload.msgid'],
      [{ msgid: 5, message }, 400, 'payload.msgid'],
      [{ msgid: 'm' }, 400, 'payload.message'],
      [{ msgid: 'm', message: {} }, 400, 'payload.message.text'],
      [{ msgid: 'm', message: { text: '' } }, 400, 'payload.message.text'],
      [{ msgid: 'm', message: { text: null } }, 400, 'payload.message.text'],
    ]
    for (const [payload, status, path] of cases) {
      const answer = await edit(here, payload)
      expect([payload, answer.status, answer.body.errors?.[0]?.path]).toEqual([payload, status, path])
    }
    expect([await storedMessages(here.ctx), await chatTraces(here.ctx)]).toEqual(before)
  })

  const written = (amojo_id: string) => ({
    sender: { id: 'u-1', name: 'Ann', ref_id: amojo_id },
    receiver: customer({ profile: { phone: '+1400000000' } }),
  })
  const amojoIdOf = async ({ ctx }: Awaited<ReturnType<typeof shop>>, user_id: number) =>
    (await ctx.db.selectFrom('users').select('amojo_id').where('id', '=', user_id).executeTakeFirstOrThrow())
      .amojo_id

  test('an imported message of a user is outgoing, delivered, and has no callback', async () => {
    const here = await shop({ protocol: 'live' })
    const ann = await here.addPerson()
    const amojo_id = await amojoIdOf(here, ann.id)
    const payload = textPush('m', written(amojo_id))
    const { status, body } = await here.push(payload)
    expect(status).toBe(200)
    const [row] = await storedMessages(here.ctx)
    expect(row).toMatchObject({
      direction: 'out',
      origin: 'channel',
      state: 'delivered',
      user_id: ann.id,
      sender_id: null,
      delivery_id: null,
    })
    const [sender] = await here.ctx.db.selectFrom('chat_senders').selectAll().execute()
    expect(sender).toMatchObject({ external_id: 's-1', name: 'Sue Brook', phone: '+1400000000' })
    expect(body).toEqual({
      new_message: {
        conversation_id: row?.conversation_id,
        sender_id: amojo_id,
        receiver_id: sender?.id,
        msgid: row?.id,
        ref_id: 'm',
      },
    })
    expect((await here.push(payload)).body).toEqual(body)
    expect((await log(here.ctx)).at(-1)).toMatchObject({ type: 'outgoing_chat_message', by: ann.id })
    expect(await here.ctx.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
    expect(await here.ctx.db.selectFrom('conversations').select('unread_count').execute()).toEqual([
      { unread_count: 0 },
    ])
  })

  onEmbedded('a user who is not a member of the account is not found', async () => {
    const here = await shop({ protocol: 'live' })
    const elsewhere = await here.addPerson({ account: await here.addAccount('elsewhere') })
    const gone = await here.addPerson()
    await here.ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('members').set({ is_active: 0 }).where('user_id', '=', gone.id).execute(),
      )
    const before = await chatTraces(here.ctx)
    for (const ref_id of [
      'f1910c7f-b1e0-4184-bd09-c7def2a9109a',
      'x',
      await amojoIdOf(here, elsewhere.id),
      await amojoIdOf(here, gone.id),
    ]) {
      const { status, body } = await here.push(textPush('m', written(ref_id)))
      expect([status, body.errors]).toEqual([
        400,
        [{ path: 'payload.sender.ref_id', code: 'NotSupportedChoice', detail: 'sender: user not found' }],
      ])
    }
    expect(await chatTraces(here.ctx)).toEqual(before)
  })

  test('silent history is already read and opens no lead; the next message opens one', async () => {
    const here = await shop({ protocol: 'live' })
    await here.push(textPush('a', { silent: true }))
    const conversation = () =>
      here.ctx.db
        .selectFrom('conversations')
        .select(['lead_id', 'unread_count', 'talk_id', 'version'])
        .execute()
    expect(await conversation()).toEqual([{ lead_id: null, unread_count: 0, talk_id: 1, version: 2 }])
    expect((await log(here.ctx)).map(({ type, entity }) => [type, entity[0]])).toEqual([
      ['contact_added', 'contact'],
      ['incoming_chat_message', 'contact'],
    ])
    await here.push(textPush('b', { silent: false }))
    const { lead_id } = await onlyConversation(here.ctx)
    expect(lead_id).toEqual(expect.any(Number))
    expect(await here.ctx.db.selectFrom('talks').select(['id', 'lead_id', 'closed_at']).execute()).toEqual([
      { id: 1, lead_id, closed_at: null },
    ])
    expect((await log(here.ctx)).at(-1)).toMatchObject({
      type: 'incoming_chat_message',
      entity: ['lead', lead_id],
    })
  })
})
