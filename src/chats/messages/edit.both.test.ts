import { describe, expect, test } from 'vitest'
import { connected } from '../../../test/fixtures/chats.ts'
import { upload } from '../../../test/fixtures/files.ts'
import { customer, storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { world } from '../../../test/world.ts'
import { botIdOf } from '../scopes/scopes.ts'

const live = { protocol: 'live' } as const
const picture = {
  type: 'picture',
  text: 'Roof',
  media: 'https://cdn.example/a.png',
  file_name: 'a.png',
  file_size: 10,
}

/** A conversation in which the customer has written `m-1`. */
async function chatting() {
  const w = await world()
  const here = await connected(w, live)
  const edit = (payload: object, at = here) =>
    at.call('POST', `/${at.scope_id}`, { event_type: 'edit_message', payload })
  const { body } = await here.push(textPush('m-1'))
  const chat_id: string = body.new_message.conversation_id
  const rowOf = async (id: string) => (await storedMessages(w.ctx)).find((row) => row.id === id)
  const version = async () => (await w.admin.browser.get(`/web/v4/chats/${chat_id}`)).body.version
  return { ...w, here, edit, chat_id, first: body.new_message, rowOf, version }
}

/** The account has answered. */
async function answered(text = 'It is.') {
  const all = await chatting()
  const { body } = await all.admin.browser.post(`/web/v4/chats/${all.chat_id}/messages`, { text })
  return { ...all, id: body.id as string, message: { type: 'text', text } }
}

/** A pushed message with these members, and an edit of it. */
async function pushed(message: object) {
  const all = await chatting()
  const { body } = await all.here.push(textPush('m', { message }))
  const id: string = body.new_message.msgid
  all.clock.advance(60)
  return { ...all, id, change: (change: object) => all.edit({ msgid: 'm', message: change }) }
}

const faultsIn = ({
  status,
  body,
}: {
  status: number
  body: { errors?: { code: string; path: string }[] }
}) => [status, ...(body.errors ?? []).map(({ code, path }) => `${code} ${path}`)]

describe('An edit of a message that the account sent', () => {
  test('gives it the id of the provider, and changes nothing that people see', async () => {
    const all = await answered()
    const { id, message, first } = all
    const [before, version] = [await all.rowOf(id), await all.version()]
    const { status, body } = await all.edit({ id, msgid: 'sent-1', message })
    const { body: person } = await all.admin.browser.get(`/web/v4/users/${all.admin.id}?with=amojo_id`)
    expect([status, body.new_message]).toEqual([
      200,
      {
        conversation_id: all.chat_id,
        sender_id: person.amojo_id,
        receiver_id: first.sender_id,
        msgid: id,
        ref_id: 'sent-1',
      },
    ])
    const empty = { ...message, media: '', file_size: 0, sticker_id: '', media_duration: 0 }
    expect((await all.edit({ id, msgid: 'sent-1', message: empty })).status).toBe(200)
    expect(await all.rowOf(id)).toEqual({ ...before, external_id: 'sent-1' })
    expect(await all.version()).toBe(version)
    expect((await all.edit({ id, msgid: 'sent-1', message })).body).toEqual(body)
    expect((await all.edit({ msgid: 'sent-1', message })).body).toEqual(body)
    expect((await all.edit({ id, msgid: 'sent-2', message })).body.new_message.ref_id).toBe('sent-2')
    expect((await all.edit({ msgid: 'sent-1', message })).status).toBe(404)
  })

  test('lets reports, reactions and the history find it by this id', async () => {
    const all = await answered()
    const { id, message, here, rowOf } = all
    const at = `/${here.scope_id}`
    const report = () => here.call('POST', `${at}/sent-1/delivery_status`, { status_code: 1 })
    const reaction = {
      conversation_id: 'c-1',
      msgid: 'sent-1',
      user: { id: 's-1' },
      type: 'react',
      emoji: '👍',
    }
    const react = () => here.call('POST', `${at}/react`, reaction)
    expect([(await report()).status, (await react()).status]).toEqual([404, 404])
    await all.edit({ id, msgid: 'sent-1', message })
    expect([(await report()).status, (await react()).status]).toEqual([200, 200])
    expect((await rowOf(id))?.state).toBe('delivered')
    const { body } = await all.admin.browser.get(`/web/v4/chats/${all.chat_id}/messages?limit=1`)
    expect(body._embedded.messages[0].reactions).toMatchObject([{ emoji: '👍' }])
    const { messages } = (await here.call('GET', `${at}/chats/c-1/history?limit=1`)).body
    expect(messages[0].message).toMatchObject({ id, client_id: 'sent-1' })
    // The provider's own record of it is no second message.
    expect((await here.push(textPush('sent-1'))).status).toBe(409)
  })

  test('sets its delivery status', async () => {
    const all = await answered()
    const { id, message } = all
    const delivery_status = { status_code: -1, error_code: 905, error: 'Blocked' }
    expect((await all.edit({ id, message: { ...message, delivery_status } })).body.new_message.ref_id).toBe(
      '',
    )
    const failed = { state: 'failed', error_code: 905, error: 'Blocked' }
    expect(await all.rowOf(id)).toMatchObject({ ...failed, external_id: null, edited_at: null })
    const cases: [delivery_status: unknown, fault: string][] = [
      [{}, 'FieldMissing payload.message.delivery_status.status_code'],
      [{ status_code: 3 }, 'NotSupportedChoice payload.message.delivery_status.status_code'],
      [{ status_code: -1 }, 'FieldMissing payload.message.delivery_status.error_code'],
      [1, 'InvalidType payload.message.delivery_status'],
    ]
    for (const [status, fault] of cases)
      expect(
        faultsIn(await all.edit({ id, msgid: 'x', message: { ...message, delivery_status: status } })),
      ).toEqual([400, fault])
    expect(await all.rowOf(id)).toMatchObject({ ...failed, external_id: null })
  })

  test('with another content is refused, and leaves nothing', async () => {
    const all = await answered()
    const before = await storedMessages(all.ctx)
    const cases: [message: object, ...faults: string[]][] = [
      [{ text: 'It is not.' }, 'NotSupportedChoice payload.message.text'],
      [{ type: 'text' }, 'FieldMissing payload.message.text'],
      [{ ...all.message, callback_data: 'x' }, 'NotSupportedChoice payload.message'],
      [{ ...picture, text: 'It is.' }, 'NotSupportedChoice payload.message.type'],
    ]
    for (const [message, ...faults] of cases)
      expect(faultsIn(await all.edit({ id: all.id, msgid: 'sent-1', message }))).toEqual([400, ...faults])
    expect(await storedMessages(all.ctx)).toEqual(before)
  })

  test('may be of a reply of the bot', async () => {
    const all = await chatting()
    const add = { name: 'Price', phrases: ['price'], answer: 'Ten.' }
    expect((await all.admin.browser.post('/web/v4/chats/intents', add)).status).toBe(200)
    await all.here.push(textPush('m-2', { message: { type: 'text', text: 'The price?' } }))
    const reply = (await storedMessages(all.ctx)).find(({ origin }) => origin === 'bot')
    const { body } = await all.edit({ id: reply?.id, msgid: 'bot-1', message: { text: 'Ten.' } })
    expect(body.new_message).toMatchObject({ sender_id: botIdOf(all.here.channel.id), ref_id: 'bot-1' })
  })
})

test('a picture of the account keeps its file', async () => {
  const all = await chatting()
  const { uuid: file_uuid } = await upload(all.admin.browser, 'x', {
    file_name: 'a.png',
    content_type: 'image/png',
  })
  const { body } = await all.admin.browser.post(`/web/v4/chats/${all.chat_id}/messages`, { file_uuid })
  const { type, media, file_name } = (await all.rowOf(body.id)) ?? {}
  const other = { type, media: picture.media, file_name: 'b.png' }
  expect(faultsIn(await all.edit({ id: body.id, msgid: 'sent-1', message: other }))).toEqual([
    400,
    'NotSupportedChoice payload.message.media',
    'NotSupportedChoice payload.message.file_name',
  ])
  for (const message of [{ type }, { type, text: '', media, file_name }])
    expect((await all.edit({ id: body.id, msgid: 'sent-1', message })).status).toBe(200)
  expect(await all.rowOf(body.id)).toMatchObject({ type: 'picture', external_id: 'sent-1', media, file_uuid })
})

test('an id that another message of the channel has is refused, and one of another channel is free', async () => {
  const all = await answered()
  const { id, message, here } = all
  const other = await connected(all, live)
  await other.push(textPush('theirs'))
  const before = await storedMessages(all.ctx)
  const taken = await all.edit({ id, msgid: 'm-1', message })
  expect([taken.status, taken.body.error_description]).toEqual([
    409,
    'Another message of this channel has the msgid m-1.',
  ])
  expect((await all.edit({ id, msgid: 'x', message }, other)).status).toBe(404)
  expect(await storedMessages(all.ctx)).toEqual(before)
  expect((await all.edit({ id, msgid: 'theirs', message }, here)).status).toBe(200)
})

test('of concurrent uses of one id, one succeeds', async () => {
  const all = await answered()
  const { id, message, admin, chat_id } = all
  const { body } = await admin.browser.post(`/web/v4/chats/${chat_id}/messages`, { text: 'It is.' })
  const answers = await Promise.all([
    all.edit({ id, msgid: 'one', message }),
    all.edit({ id: body.id, msgid: 'one', message }),
    all.here.push(textPush('one', { conversation_id: 'c-2', sender: customer({ id: 's-2' }) })),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await storedMessages(all.ctx)).filter(({ external_id }) => external_id === 'one').length).toBe(1)
})

describe('An edit of a pushed message', () => {
  test('changes its own id, and keeps its text if it has none', async () => {
    const all = await pushed(picture)
    const { body } = await all.edit({ id: all.id, msgid: 'm-new', message: {} })
    expect(body.new_message).toMatchObject({ msgid: all.id, ref_id: 'm-new' })
    expect(await all.rowOf(all.id)).toMatchObject({ external_id: 'm-new', text: 'Roof', edited_at: null })
  })

  const file = { media: picture.media, file_name: 'a.png', file_size: 10 }
  const media = 'https://cdn.example/b.png'
  test.each<[change: object, after: object]>([
    [
      { media, file_name: 'b.png', file_size: 20 },
      { media, file_name: 'b.png', file_size: 20, text: 'Roof' },
    ],
    [{ media }, { media, file_name: null, file_size: null, text: 'Roof' }],
    [
      { media: picture.media, file_name: 'c.png' },
      { ...file, file_name: 'c.png' },
    ],
    [{ file_size: 0 }, { ...file, file_size: 0 }],
    [{ text: '' }, { ...file, text: '' }],
    [
      { type: 'picture', text: 'Wall', media: null },
      { ...file, text: 'Wall' },
    ],
    [{ location: { lon: 1, lat: 2 } }, { ...file, content: '{}' }],
  ])('of a picture with %j makes it %j', async (change, after) => {
    const all = await pushed(picture)
    const version = await all.version()
    expect((await all.change(change)).status).toBe(200)
    expect(await all.rowOf(all.id)).toMatchObject(after)
    const isEdited = !('location' in change)
    expect((await all.rowOf(all.id))?.edited_at).toBe(isEdited ? all.clock.now() : null)
    expect(await all.version()).toBe(version + Number(isEdited))
    // Once more it changes nothing.
    const row = await all.rowOf(all.id)
    expect((await all.change(change)).status).toBe(200)
    expect(await all.rowOf(all.id)).toEqual(row)
  })

  test('of a voice message replaces the members of its file', async () => {
    const voice = {
      type: 'voice',
      media: 'https://cdn.example/a.ogg',
      media_duration: 3,
      callback_data: 'cb',
    }
    const all = await pushed(voice)
    const contentNow = async () => JSON.parse((await all.rowOf(all.id))?.content as string)
    await all.change({ media_duration: 4 })
    expect(await contentNow()).toEqual({ media_duration: 4, callback_data: 'cb' })
    await all.change({ media: 'https://cdn.example/b.ogg' })
    expect(await contentNow()).toEqual({ callback_data: 'cb' })
  })

  test('of a location moves it', async () => {
    const all = await pushed({ type: 'location', location: { lon: 1, lat: 2 } })
    expect((await all.change({ type: 'location', location: { lon: 3, lat: 4 } })).status).toBe(200)
    expect((await all.rowOf(all.id))?.content).toBe('{"location":{"lon":3,"lat":4}}')
    expect(faultsIn(await all.change({ text: 'x' }))).toEqual([400, 'FieldMissing payload.message.location'])
  })

  test('under the rules of a new one, or it leaves nothing', async () => {
    const all = await pushed(picture)
    const before = await storedMessages(all.ctx)
    const cases: [message: object, fault: string][] = [
      [{ media: '' }, 'NotBlank payload.message.media'],
      [{ media: 'a.png' }, 'InvalidFormat payload.message.media'],
      [{ file_size: '5' }, 'InvalidType payload.message.file_size'],
      [{ text: 5 }, 'InvalidType payload.message.text'],
      [{ type: 'text', text: 'Roof' }, 'NotSupportedChoice payload.message.type'],
      [{ type: 'letter' }, 'NotSupportedChoice payload.message.type'],
    ]
    for (const [message, fault] of cases) expect(faultsIn(await all.change(message))).toEqual([400, fault])
    expect(await storedMessages(all.ctx)).toEqual(before)
  })
})
