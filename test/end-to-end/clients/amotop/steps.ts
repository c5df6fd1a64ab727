/**
 * A provider on `@mobilon-dev/amotop`: axios, connect and disconnect signed over the body, all else by the newer
 * recipe. It has the older and the newer signature scheme of the channel, and chooses one itself.
 */
import { deepEqual, equal, ok, partialDeepStrictEqual, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import amotop from '@mobilon-dev/amotop'
import { demo, host, openAdmin, part } from '../errand.ts'

const { AmoJoChannelClient, AmoJoScopeClient } = amotop
/** In the live protocol (C4); nobody listens for its callbacks. */
const draft = { name: 'Bridge', callback_url: 'https://bridge.example/callback', protocol: 'live' }
const { keys } = (await (await openAdmin())('POST', '/web/channels', draft)).body
const { channel_id: channelId, secret: channelSecret } = keys
const account_id = demo.account.amojo_id
const scopeId = `${channelId}_${account_id}`
const at = { amoChatDomain: host, channelSecret }
const channel = new AmoJoChannelClient({ ...at, channelId })
const scope = new AmoJoScopeClient({ ...at, scopeId })
const conversation_id = randomUUID()
const boris = { id: 'boris', name: 'Boris', profile: { phone: '79991234567' } }
const another = { ...at, channelSecret: 'f'.repeat(40) }

/** An error of the client is axios's own, or, of its channel, a text with no more than the status. */
const refusedWith = (status: number, body?: object) => (error: unknown) => {
  const { response } = error as { response: { status: number; data: object } }
  equal(response.status, status)
  partialDeepStrictEqual(response.data, body ?? {})
  return true
}

await part('connect', async () => {
  await rejects(scope.sendMessage(text('Too early')), refusedWith(404))
  const connected = await channel.connectChannel(account_id, 'Bridge')
  const expected = { account_id, scope_id: scopeId, title: 'Bridge', hook_api_version: 'v2' }
  partialDeepStrictEqual(connected as unknown, { ...expected, is_time_window_disabled: false })
  deepEqual(await channel.connectChannel(account_id, 'Bridge'), connected)
})

let chat = ''
await part('chat', async () => {
  const made = await scope.createChat({ conversation_id, user: boris })
  chat = made.id
  partialDeepStrictEqual(made.user, { client_id: 'boris', name: 'Boris', phone: '79991234567' })
  equal((await scope.createChat({ conversation_id, user: boris })).id, chat)
})

/** A payload as its author's examples put it together. */
function text(words: string, more: object = {}): Record<string, unknown> {
  const time = Date.now()
  return {
    timestamp: Math.floor(time / 1000),
    msec_timestamp: time,
    msgid: randomUUID(),
    conversation_id,
    sender: boris,
    message: { type: 'text', text: words },
    ...more,
  }
}

await part('push', async () => {
  const first = text('Good day')
  const answer = await scope.sendMessage(first)
  partialDeepStrictEqual(answer.new_message, { conversation_id: chat, ref_id: first.msgid })
  deepEqual(await scope.sendMessage(first), answer)

  // Its own makers of payloads name the chat, and a sender and a conversation that nobody knows.
  const named = { conversationId: chat, senderName: 'Boris' }
  const mediaUrl = 'https://bridge.example/1.jpg'
  for (const payload of [
    scope.getTextPayloadFromContact({ ...named, message: 'By your name for it' }),
    scope.getImagePayloadFromContact({ ...named, mediaUrl }),
    scope.getVideoPayloadFromContact({ ...named, mediaUrl, message: 'A film' }),
    scope.getAudioPayloadFromContact({ ...named, mediaUrl }),
    {
      ...scope.getTextPayloadFromContact({ ...named, message: 'Quoting' }),
      ...scope.getQuoteTextMessage({ message: 'Good day', senderName: 'Boris' }),
    },
    scope.getTextPayloadFromUser({ ...named, amojoUserId: await amojoUser(), message: 'From my telephone' }),
  ]) {
    const pushed = await scope.sendMessage(payload)
    partialDeepStrictEqual(pushed.new_message, { conversation_id: chat, ref_id: payload.msgid })
  }
})

/** How the provider names the person who writes from their side. */
async function amojoUser(): Promise<string> {
  const headers = { authorization: `Bearer ${demo.tokens.access_token}` }
  const answer = await fetch(`https://${host}/api/v4/users?with=amojo_id`, { headers })
  const { _embedded } = (await answer.json()) as { _embedded: { users: { amojo_id: string }[] } }
  return _embedded.users[0]?.amojo_id as string
}

let written = ''
await part('history', async () => {
  const { messages } = await scope.getChatHistory(conversation_id)
  const texts = messages.map((one: { message: { text: string } }) => one.message.text)
  deepEqual(texts.toReversed(), [
    'Good day',
    'By your name for it',
    '',
    'A film',
    '',
    'Quoting',
    'From my telephone',
  ])
  written = messages[0].message.id
})

await part('delivery status', async () => {
  equal(await scope.updateMessageStatus(written, 1), '')
  equal(await scope.updateMessageStatus(written, 2), '')
  equal(await scope.updateMessageStatus(written, -1, 905, 'Not today'), '')
  await rejects(scope.updateMessageStatus(randomUUID(), 1), refusedWith(404))
})

await part('another secret', async () => {
  const invalid = { status: 0, error_code: 403, error_type: 'ORIGIN_INVALID_SIGNATURE' }
  const stranger = new AmoJoScopeClient({ ...another, scopeId })
  await rejects(stranger.sendMessage(text('Let me in')), refusedWith(403, invalid))
  await rejects(stranger.getChatHistory(conversation_id), refusedWith(403, invalid))
  await rejects(stranger.updateMessageStatus(written, 1), refusedWith(403, invalid))
  const guessing = new AmoJoChannelClient({ ...another, channelId })
  await rejects(guessing.connectChannel(account_id, 'Bridge'), /403/)
  await rejects(guessing.disconnectChannel(account_id), /403/)
  const { messages } = await scope.getChatHistory(conversation_id)
  equal(messages.length, 7)
})

await part('disconnect', async () => {
  await channel.disconnectChannel(account_id)
  await rejects(channel.disconnectChannel(account_id), /404/)
  await rejects(scope.sendMessage(text('Gone')), refusedWith(404))
  ok(await channel.connectChannel(account_id, 'Bridge'))
})
