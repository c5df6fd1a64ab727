import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type amotop from '@mobilon-dev/amotop'
import { demo, host } from '../errand.ts'
import type { Calls } from '../every-method.ts'
import type { Scene } from './scene.ts'

type Channel = InstanceType<typeof amotop.AmoJoChannelClient>
type Scope = InstanceType<typeof amotop.AmoJoScopeClient>
type Payload = Record<string, unknown>

const mediaUrl = 'https://bridge.example/1.jpg'

/** The channel, its conversations, and payloads of each maker, which are pushed. */
export function providerCalls({ ada }: Scene, channel: Channel, scope: Scope, botId: string): Calls {
  const conversation = randomUUID()
  let [chat, written] = ['', '']
  const named = (more: object) => ({ conversationId: chat, ...more }) as never
  const pushed = async (payload: Payload) => {
    const { new_message } = await scope.sendMessage(payload)
    partialDeepStrictEqual(new_message, { conversation_id: chat, ref_id: payload.msgid })
  }
  const from = {
    Bot: { channelBotId: botId },
    User: { amojoUserId: ada.amojo_id },
    Contact: { senderName: 'Boris' },
  }
  const content = {
    Text: { message: 'Good day' },
    Image: { mediaUrl },
    Video: { mediaUrl },
    Audio: { mediaUrl },
  }
  const pushes: Calls = {}
  for (const [kind, words] of Object.entries(content))
    for (const [who, sender] of Object.entries(from)) {
      const maker = `get${kind}PayloadFrom${who}` as 'getTextPayloadFromBot'
      pushes[`scope.${maker}`] = () => pushed(scope[maker](named({ ...words, ...sender })))
    }
  for (const kind of ['Text', 'Image', 'Video']) {
    const maker = `getQuote${kind}Message` as 'getQuoteTextMessage'
    pushes[`scope.${maker}`] = () => {
      const words = { message: 'Good day', mediaUrl, senderName: 'Boris' }
      const text = scope.getTextPayloadFromContact(named({ message: 'Quoting', ...from.Contact }))
      return pushed({ ...text, ...scope[maker](words) })
    }
  }
  return {
    'channel.getChannelId': () => ok(scope.getScopeId().startsWith(channel.getChannelId())),
    'channel.getAmoChatDomain': () => equal(channel.getAmoChatDomain(), host),
    'channel.connectChannel': async () => {
      const connected = await channel.connectChannel(demo.account.amojo_id, 'Bridge')
      equal((connected as unknown as { scope_id: string }).scope_id, scope.getScopeId())
    },
    'channel.sendRequest': async () => {
      const data = { account_id: demo.account.amojo_id, title: 'Bridge', hook_api_version: 'v2' }
      const answer = await channel.sendRequest('POST', `${channel.getChannelId()}/connect`, { data })
      equal(answer.scope_id, scope.getScopeId())
    },
    'scope.getScopeId': () => ok(scope.getScopeId().endsWith(`_${demo.account.amojo_id}`)),
    'scope.getAmoChatDomain': () => equal(scope.getAmoChatDomain(), host),
    'scope.getChatDto': async () => {
      const dto = scope.getChatDto(ada.amojo_id)
      deepEqual(dto.user, { ref_id: ada.amojo_id })
      ok((await scope.createChat(dto)).id)
    },
    'scope.createChat': async () => {
      const user = { id: 'boris', name: 'Boris', profile: { phone: '79991234567' } }
      chat = (await scope.createChat({ conversation_id: conversation, user })).id
      ok(chat)
    },
    'scope.sendMessage': () =>
      pushed(scope.getTextPayloadFromContact(named({ message: 'Good day', ...from.Contact }))),
    ...pushes,
    'scope.getChatHistory': async () => {
      const { messages } = await scope.getChatHistory(conversation)
      equal(messages.length, 1 + Object.keys(pushes).length)
      written = messages[0].message.id
    },
    'scope.updateMessageStatus': async () => equal(await scope.updateMessageStatus(written, 2), ''),
    'channel.disconnectChannel': () => channel.disconnectChannel(demo.account.amojo_id),
  }
}

/** The token endpoint. */
export function tokenCalls(service: InstanceType<typeof amotop.AmoService>, code: string): Calls {
  let refresh_token = ''
  return {
    'service.exchangeCode': async () => {
      const tokens = await service.exchangeCode(host, { ...demo.integration, code })
      partialDeepStrictEqual(tokens, { token_type: 'Bearer', expires_in: 86_400 })
      refresh_token = tokens.refresh_token
    },
    'service.exchangeAccessToken': async () => {
      const tokens = await service.exchangeAccessToken(host, { ...demo.integration, refresh_token } as never)
      ok(tokens.access_token && tokens.refresh_token !== refresh_token)
    },
  }
}
