import { messageKinds } from '../../chats/chats.ts'
import type { OperationsMetadata } from './metadata.ts'
import type { JsonSchema } from './served-routes.ts'

const text: JsonSchema = { type: 'string' }
const words: JsonSchema = { type: 'string', minLength: 1 }
const time: JsonSchema = { type: 'integer', minimum: 0, maximum: 253_402_300_799 }
const degrees = (most: number): JsonSchema => ({ type: 'number', minimum: -most, maximum: most })
const id = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description,
})
const object = (required: string[], properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required,
  properties,
})

const person = object(['id', 'name'], {
  id: id('What the provider calls the person.'),
  name: words,
  avatar: { ...text, description: 'An address; required of a channel in the manner of the specification.' },
  profile_link: text,
  profile: object([], { phone: { type: ['integer', 'string'] }, email: text }),
  ref_id: {
    ...text,
    description: 'The amojo_id of a person of the account, who wrote it on the other side.',
  },
})

const members: Record<string, JsonSchema> = {
  text: words,
  media: { ...text, description: 'The address of a file.' },
  file_name: words,
  file_size: { type: 'integer', minimum: 0 },
  location: object(['lon', 'lat'], { lon: degrees(180), lat: degrees(90) }),
  contact: object(['name', 'phone'], { name: words, phone: words }),
}

/** One for each kind, with what a channel in the manner of the specification requires of it, or else of the live service. */
const message: JsonSchema = {
  oneOf: Object.entries(messageKinds).map(([type, { spec, live }]) =>
    object(['type', ...(spec ?? live)], { type: { type: 'string', enum: [type] }, ...members }),
  ),
}

const event = (type: string, payload: JsonSchema): JsonSchema =>
  object(['event_type', 'payload'], { event_type: { type: 'string', enum: [type] }, payload })

/** What chats/messages/push-schemas.ts reads; which members a message must have is by its kind and the manner of the channel. */
const push: JsonSchema = {
  oneOf: [
    event(
      'new_message',
      object(['timestamp', 'msgid', 'conversation_id', 'sender', 'message'], {
        timestamp: { ...time, description: 'When it was written.' },
        msgid: id('What the provider calls the message: the same one is taken once.'),
        conversation_id: id('What the provider calls the conversation.'),
        sender: person,
        receiver: person,
        message,
        silent: { type: 'boolean' },
        source: object([], { external_id: text }),
      }),
    ),
    event(
      'edit_message',
      object(['message'], { id: text, msgid: text, message: object(['text'], { text: words }) }),
    ),
  ],
}

/** Addresses are whole: these are on a surface of their own. */
export const toldOfChannels: OperationsMetadata = {
  'POST /v2/origin/custom/{channel_id}/connect': {
    summary: 'Connects an account to the channel, or changes how it is connected.',
    description:
      'The account is that of the channel, or one in which the integration of the channel is installed.',
  },
  'POST /v2/origin/custom/{channel_id}/disconnect': 'Ends the connection of an account to the channel.',
  'DELETE /v2/origin/custom/{channel_id}/disconnect': 'Ends the connection of an account to the channel.',
  'POST /v2/origin/custom/{scope_id}': {
    summary: 'Pushes a message into a conversation, which begins with its first one.',
    description:
      'The same `msgid` with the same body is answered as it was the first time, and is kept once.',
    body: { 'application/json': push },
  },
  'POST /v2/origin/custom/{scope_id}/chats': 'Begins a conversation without a message.',
  'GET /v2/origin/custom/{scope_id}/chats/{conversation_id}/history': {
    summary: 'Reads the messages of a conversation, the newest first.',
    answers: { 204: { description: 'There are none there.' } },
  },
  'POST /v2/origin/custom/{scope_id}/{msgid}/delivery_status':
    'Tells what became of a message that was sent out.',
  'POST /v2/origin/custom/{scope_id}/typing': 'Shows that the person on the other side is typing.',
  'POST /v2/origin/custom/{scope_id}/react': 'Adds a reaction to a message, or takes it back.',
}
