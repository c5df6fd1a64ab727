import type { Client } from '../client.ts'
import { CHATS, channelOf, signed, signedAnew } from '../fixtures/chats.ts'
import type { World } from '../world.ts'

/** Requests of a chat provider, and of an integration that uses the inbox. `contact_id` gets the chat. */
export async function sendChats(world: World, v4: Client, contact_id: number): Promise<void> {
  const channel = await channelOf(world, { protocol: 'live' })
  const call = (method: string, path: string, body?: object) => {
    const url = CHATS + path
    const date = new Date(world.ctx.clock())
    const headers = body
      ? signed(channel.secret, JSON.stringify(body))
      : signedAnew(channel.secret, { method, path: url, date })
    return v4.send(method, url, body, { authorization: undefined, ...headers })
  }
  const account_id = world.account.amojo_id
  const connection = { account_id, title: 'Messenger', hook_api_version: 'v2' }
  const { body: connected } = await call('POST', `/${channel.id}/connect`, connection)
  const scope = `/${connected.scope_id}`
  const sender = { id: 's-1', name: 'Sue Brook', profile: { phone: '+1 555 0102' } }
  const push = (conversation_id: string, text: string, by: object) =>
    call('POST', scope, {
      event_type: 'new_message',
      payload: {
        timestamp: world.ctx.now(),
        msgid: conversation_id.replace('c', 'm'),
        conversation_id,
        sender: by,
        message: { type: 'text', text },
      },
    })
  const { body: pushed } = await push('c-1', 'Is the oak table still there?', sender)
  await call('POST', `${scope}/typing`, { conversation_id: 'c-1', sender: { id: 's-1' } })
  const chat = `/api/v4/chats/${pushed.new_message.conversation_id}`
  await sendBot(v4, chat, pushed.new_message.msgid)
  const { body: reply } = await v4.post(`${chat}/messages`, { text: 'Yes, it is.' })
  await call('POST', `${scope}/${reply.id}/delivery_status`, { msgid: reply.id, status_code: 1 })
  const refused = { msgid: reply.id, status_code: -1, error_code: 905, error: 'Unknown number' }
  await call('POST', `${scope}/${reply.id}/delivery_status`, refused)
  await v4.post(`${chat}/messages/${reply.id}/send_again`)
  await call('POST', `${scope}/react`, {
    conversation_id: 'c-1',
    msgid: 'm-1',
    user: { id: 's-1' },
    type: 'react',
    emoji: '👍',
  })
  await call('GET', `${scope}/chats/c-1/history`)
  await sendInbox(v4, chat, reply.id)
  await sendActions(v4, chat, pushed.new_message.msgid)
  await sendTalk(v4, chat, contact_id)
  await call('POST', `${scope}/chats`, { conversation_id: 'c-2', user: { id: 's-2', name: 'Tom Reed' } })
  await world.admin.browser.put('/web/new-chats', { are_chats_unsorted: true })
  await push('c-3', 'Do you deliver?', { id: 's-3', name: 'Ida Park' })
  await sendLinkOfChat(v4)
  for (const method of ['POST', 'DELETE']) {
    await call('POST', `/${channel.id}/connect`, connection)
    await call(method, `/${channel.id}/disconnect`, { account_id })
  }
}

async function sendInbox(v4: Client, chat: string, message_id: string): Promise<void> {
  for (const path of ['/api/v4/chats', chat, `${chat}/messages`]) await v4.get(path)
  await v4.get(`${chat}/messages/${message_id}/attempts`)
  await v4.post(`${chat}/read`)
}

async function sendActions(v4: Client, chat: string, message_id: string): Promise<void> {
  await v4.post(`${chat}/typing`)
  const reaction = `${chat}/messages/${message_id}/reaction`
  await v4.put(reaction, { emoji: '👍' })
  await v4.delete(reaction)
}

/** The customer's message is answered by an integration as the bot. */
async function sendBot(v4: Client, chat: string, message_id: string): Promise<void> {
  const { body } = await v4.get('/api/v4/bots?with=favorite')
  const [{ id }] = body._embedded.items
  const at = `/api/v4/bots/${id}`
  await v4.get(at)
  await v4.patch(at, { greeting: 'Hello! I am the bot of the workshop.' })
  const show = { handler: 'show', params: { type: 'text', value: 'It is still there.' } }
  await v4.post(`/api/v4/marketingbot/${id}/continue/${message_id}`, { data: { found: true } })
  await v4.post(`/api/v4/salesbot/${id}/continue/${message_id}`, { execute_handlers: [show] })
  const { lead_id } = (await v4.get(chat)).body
  const of = { entity_id: lead_id, entity_type: 'leads' }
  await v4.post(`${at}/stop`, of)
  await v4.post(`${at}/run`, of)
  await v4.post('/api/v4/bots/run', [{ bot_id: id, ...of }])
}

async function sendTalk(v4: Client, chat: string, contact_id: number): Promise<void> {
  const { body } = await v4.get(chat)
  await v4.get('/api/v4/talks?filter[only_in_work]=1')
  await v4.get(`/api/v4/talks/${body.talk_id}`)
  await v4.get(`/api/v4/talks/${body.talk_id}/messages`)
  await v4.post(`/api/v4/talks/${body.talk_id}/send_message`, { text: 'It is still there.' })
  await v4.get(`/api/v4/contacts/chats?contact_id=${body.contact_id}`)
  await v4.post('/api/v4/contacts/chats', [{ contact_id, chat_id: body.id }])
  const { body: moved } = await v4.get(chat)
  await v4.post(`/api/v4/talks/${moved.talk_id}/close`, { force_close: true })
}

/** A new chat that waits is given to a lead that exists. */
async function sendLinkOfChat(v4: Client): Promise<void> {
  const at = '/api/v4/leads/unsorted'
  const { body: waiting } = await v4.get(`${at}?filter[category][]=chats`)
  const { body: added } = await v4.post('/api/v4/leads', [{ name: 'Two tables for Ida Park' }])
  const link = { entity_id: added._embedded.leads[0].id, entity_type: 'leads' }
  await v4.post(`${at}/${waiting._embedded.unsorted[0].uid}/link`, { link })
}
