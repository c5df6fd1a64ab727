import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/commands/ports.ts'
import { runningDemo } from '../fixtures/demo.ts'
import { openWebSession, type WebSession } from '../fixtures/web-session.ts'
import { startProvider } from './chat-provider.ts'

/** Starts the server of `npm start`, signs in its administrator, and creates a channel with a local callback URL. */
async function startHub() {
  const { base, demo } = await runningDemo()
  const admin = await openWebSession(base, demo.user)
  const port = await freePort()
  const callback_url = `http://localhost:${port}/callback/:scope_id`
  const made = await admin('POST', '/web/channels', { name: 'Messenger', callback_url })
  expect(made.status).toBe(201)
  const { channel_id, secret } = made.body.keys
  const env = {
    CHAT_URL: base,
    CHANNEL_ID: channel_id,
    CHANNEL_SECRET: secret,
    ACCOUNT_ID: demo.account.amojo_id,
  }
  const start = async (over: Record<string, string> = {}) => {
    const provider = await startProvider(port, { ...env, ...over })
    onTestFinished(() => provider.stop())
    return provider
  }
  return { admin, channel_id, secret, scope_id: `${channel_id}_${demo.account.amojo_id}`, start }
}

const anna = { from: 'anna', name: 'Anna', phone: 442079460018, email: 'anna@example.com' }

/** The only chat of the channel with its messages, oldest first. */
async function readChat(admin: WebSession, channel_id: string) {
  const { body } = await admin('GET', `/web/v4/chats?filter[channel_id]=${channel_id}`)
  const [chat, ...others] = body?._embedded?.chats ?? []
  expect(others).toEqual([])
  if (!chat) return undefined
  const thread = await admin('GET', `/web/v4/chats/${chat.id}/messages`)
  return { ...chat, messages: thread.body._embedded.messages.toReversed() }
}

describe('The example provider, configured only with the server’s address and keys', () => {
  test('connects, pushes, receives a text and an image, and reports their delivery', async () => {
    const { admin, channel_id, scope_id, start } = await startHub()
    const provider = await start()
    expect(provider.output()).toContain(`connected: ${scope_id}`)

    const said = await provider.post('/say', { ...anna, text: 'Is it red?' })
    expect(said).toEqual({
      status: 200,
      body: {
        msgid: expect.any(String),
        new_message: expect.objectContaining({
          conversation_id: expect.any(String),
          ref_id: said.body.msgid,
        }),
      },
    })
    const chat = await readChat(admin, channel_id)
    expect(chat).toMatchObject({
      conversation_id: 'chat-anna',
      sender: { external_id: 'anna', name: 'Anna', email: 'anna@example.com' },
      unread_count: 1,
      messages: [{ direction: 'in', type: 'text', text: 'Is it red?', state: 'received' }],
    })

    const write = (body: object) => admin('POST', `/web/v4/chats/${chat.id}/messages`, body)
    const answered = await write({ text: 'It is — look: “красный” 🟥' })
    expect(answered).toMatchObject({ status: 200, body: { direction: 'out', origin: 'person' } })
    const toHer = async () => (await provider.messages()).filter(({ direction }) => direction === 'to')
    await expect
      .poll(toHer)
      .toMatchObject([{ customer: 'anna', type: 'text', text: 'It is — look: “красный” 🟥', state: 'shown' }])
    const stateOf = async (id: string) =>
      (await readChat(admin, channel_id)).messages.find((message: { id: string }) => message.id === id)?.state
    await expect.poll(() => stateOf(answered.body.id)).toBe('delivered')

    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const sent = await write({ text: 'Here', file_uuid: await upload(admin, picture) })
    expect(sent).toMatchObject({ status: 200, body: { type: 'picture', file_name: 'red.png' } })
    await expect
      .poll(toHer)
      .toMatchObject([{ text: /look/ }, { type: 'picture', text: 'Here', state: 'shown' }])
    // It downloaded the file from the URL in the callback, without a token.
    const [, shown] = await toHer()
    expect(readFileSync(shown?.file ?? '').equals(picture)).toBe(true)

    await expect.poll(() => stateOf(sent.body.id)).toBe('delivered')
    expect(await provider.post('/read')).toEqual({ status: 200, body: { read: 2 } })
    expect([await stateOf(answered.body.id), await stateOf(sent.body.id)]).toEqual(['read', 'read'])

    expect(await provider.post('/disconnect')).toEqual({ status: 200, body: {} })
    expect((await write({ text: 'Still there?' })).status).toBe(409)
    expect((await provider.post('/say', { ...anna, text: 'Hello?' })).status).toBe(404)
    expect((await readChat(admin, channel_id)).messages).toHaveLength(3)
  })

  test('is rejected with another secret, and rejects this channel’s callbacks', async () => {
    const { admin, channel_id, start } = await startHub()
    const right = await start()
    expect((await right.post('/say', { ...anna, text: 'Hello' })).status).toBe(200)
    await right.stop()

    const wrong = await start({ CHANNEL_SECRET: 'f'.repeat(40) })
    expect(wrong.output()).toMatch(/not connected: Error: refused with 403: .*ORIGIN_INVALID_SIGNATURE/)
    expect(await wrong.post('/say', { ...anna, text: 'Let me in' })).toMatchObject({ status: 403 })
    expect((await wrong.post('/disconnect')).status).toBe(403)

    const chat = await readChat(admin, channel_id)
    expect(chat.messages).toMatchObject([{ text: 'Hello' }])
    const written = await admin('POST', `/web/v4/chats/${chat.id}/messages`, { text: 'Who is there?' })
    const tries = async () =>
      (await admin('GET', `/web/v4/chats/${chat.id}/messages/${written.body.id}/attempts`)).body._embedded
        .attempts
    await expect.poll(tries).toMatchObject([{ attempt: 1, status: 403 }])
    expect(await wrong.messages()).toEqual([])
  })

  test('accepts each documented message once, and nothing else', async () => {
    const { secret, scope_id, start } = await startHub()
    const provider = await start()
    const text = JSON.stringify({ receiver: 'anna', conversation_id: 'chat-anna', type: 'text', text: 'Hi' })
    const signed = (body: string) => createHmac('sha1', secret).update(body).digest('hex')
    const send = async (body: string, headers: Record<string, string> = {}, method = 'POST') => {
      const all = { 'content-type': 'application/json', 'x-signature': signed(body), ...headers }
      const url = `${provider.url}/callback/${scope_id}`
      const answer = await fetch(url, { method, headers: all, body: method === 'GET' ? undefined : body })
      return answer.status
    }
    const upper = { 'x-signature': signed(text).toUpperCase() }
    expect([
      await send('', {}, 'GET'),
      await send(text, {}, 'PUT'),
      await send(''),
      await send('{"receiver":'),
      await send(text, { 'x-signature': '' }),
      await send(text, { 'x-signature': signed(`${text} `) }),
      await send(text, upper),
      await send(`${text} `, { 'x-signature': signed(text) }),
    ]).toEqual([405, 405, 400, 400, 403, 403, 403, 403])
    expect(await provider.messages()).toEqual([])

    const once = { 'webhook-id': 'the same' }
    expect(await Promise.all([send(text, once), send(text, once), send(text, once)])).toEqual([200, 200, 200])
    expect(await provider.messages()).toMatchObject([{ direction: 'to', text: 'Hi', webhook_id: 'the same' }])
  })
})

/** Uploads a file in one part and returns its uuid. */
async function upload(admin: WebSession, bytes: Buffer): Promise<string> {
  const draft = { file_name: 'red.png', file_size: bytes.length }
  const opened = await admin('POST', '/web/drive/v1.0/sessions', draft)
  const part = new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' })
  const uploaded = await admin('POST', new URL(opened.body.upload_url).pathname, part)
  expect(uploaded.status).toBe(200)
  return uploaded.body.uuid
}
