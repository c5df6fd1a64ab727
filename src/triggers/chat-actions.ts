import { randomUUID } from 'node:crypto'
import type { LineNeeds } from '../chats/chats.ts'
import { action } from './action.ts'
import type { Scene } from './scene.ts'

/** A customer's message. A conversation is new unless it is named. */
const WRITTEN = { channel: '', conversation: '', customer: 'Sue', text: 'Is it there?' }

/** A customer writes; returns the ids of the chat, of its talk and of the message. */
async function written(scene: Scene, set: typeof WRITTEN, needs: LineNeeds = {}) {
  const line = await scene.channel(set.channel || null, needs)
  const conversation_id = set.conversation || `conversation-${scene.unique()}`
  const pushed = await scene.push(line, {
    timestamp: scene.now,
    msgid: randomUUID(),
    conversation_id,
    sender: {
      id: `customer-of-${conversation_id}`,
      name: set.customer,
      avatar: 'https://example.com/avatar.png',
    },
    message: { type: 'text', text: set.text },
  })
  const chat = scene.keep('chat', pushed.new_message.conversation_id as string)
  scene.keep('message', pushed.new_message.msgid as string)
  const { talk_id, lead_id, contact_id } = await scene.ask('GET', `chats/${chat}`)
  scene.keep('talk', talk_id as number)
  if (lead_id) scene.keep('lead', lead_id as number)
  if (contact_id) scene.keep('contact', contact_id as number)
  return { chat, talk: talk_id as number }
}

const incoming = action('A customer writes a message through a channel.', WRITTEN, written, ['chats'])

const ANSWERED = { chat: '', answer: 'It is.', ...WRITTEN }

/** The given chat, or one in which a customer has just written. */
const answer = action(
  'A person answers a customer, and the channel gets the callback.',
  ANSWERED,
  async (scene, { chat, answer, ...set }) => {
    const id = chat || (await written(scene, set)).chat
    const sent = await scene.ask('POST', `chats/${id}/messages`, { text: answer })
    scene.keep('answer', sent.id as string)
  },
  ['chats'],
)

const REACTED = { chat: '', emoji: '👍', ...WRITTEN }

/** To the newest message of the given chat, or to one that a customer has just written. */
const reaction = action(
  'A person reacts to a message, and the channel, which is connected with v2, gets the callback.',
  REACTED,
  async (scene, { chat, emoji, ...set }) => {
    const id = chat || (await written(scene, set, { hook_api_version: 'v2' })).chat
    const { _embedded } = await scene.ask('GET', `chats/${id}/messages?limit=1`)
    const [newest] = _embedded.messages
    await scene.ask('PUT', `chats/${id}/messages/${scene.keep('message', newest.id)}/reaction`, { emoji })
  },
  ['chats'],
)

const SENT = { talk: null, answer: 'It is.', ...WRITTEN } as const
const sentInTalk = action(
  'An integration answers in a talk.',
  SENT,
  async (scene, { talk, answer, ...set }) => {
    const id = talk ?? (await written(scene, set)).talk
    const { id: sent } = await scene.ask('POST', `talks/${id}/send_message`, { text: answer })
    scene.keep('answer', sent as string)
  },
  ['chats'],
)

const closed = action(
  'Closes a talk.',
  { talk: null, ...WRITTEN },
  async (scene, { talk, ...set }) => {
    const id = talk ?? (await written(scene, set)).talk
    await scene.ask('POST', `talks/${id}/close`)
  },
  ['chats'],
)

/** A customer writes what the bot recognizes: a phrase of an intent that is there, or of a new one. */
const recognized = action(
  'A customer writes a phrase that the reply bot recognizes, and the bot answers.',
  { ...WRITTEN, text: '' },
  async (scene, set) => {
    const text = set.text || (await phraseOf(scene))
    await written(scene, { ...set, text })
  },
  ['chats'],
)

async function phraseOf(scene: Scene): Promise<string> {
  const { _embedded } = (await scene.ask('GET', 'chats/intents')) ?? {}
  const [intent] = _embedded?.intents ?? []
  if (intent) return intent.phrases[0]
  const draft = { name: 'Price', phrases: ['the price'], answer: 'A hundred.' }
  const { id } = await scene.ask('POST', 'chats/intents', draft)
  scene.keep('intent', id as number)
  return 'the price'
}

const reviewed = action(
  'Sends a chat template for review.',
  { content: 'Hello' },
  async (scene, { content }) => {
    const draft = { name: `Template ${scene.unique()}`, content, type: 'waba' }
    const waba = { waba_category: 'UTILITY', waba_language: 'en' }
    const id = await scene.add('chat_template', 'chats/templates', { ...draft, ...waba })
    await scene.ask('POST', `chats/templates/${id}/review`, {})
  },
  ['chats'],
)

export const chatEventActions = {
  incoming_chat_message: incoming,
  outgoing_chat_message: answer,
  robot_replied: recognized,
  intent_identified: recognized,
}

export const chatCodeActions = {
  add_talk: incoming,
  update_talk: closed,
  add_message: incoming,
  add_outgoing_message: sentInTalk,
  add_chat_template_review: reviewed,
}

/** The actions whose callbacks a channel gets, by the type of the trigger. */
export const chatDeliveryActions = { chat_callback: answer, chat_reaction: reaction }
