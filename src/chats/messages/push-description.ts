import type { JsonSchema } from '../../http/operation.ts'
import { messageKinds } from './message-kinds.ts'

/** The body of a push as the API description shows it. `push-schemas.ts` reads it, by the protocol of the channel. */

const text: JsonSchema = { type: 'string' }
const words: JsonSchema = { type: 'string', minLength: 1 }
const phone: JsonSchema = { description: 'The phone number.' }
const time: JsonSchema = { type: 'integer', minimum: 0, maximum: 253_402_300_799 }
const degrees = (most: number): JsonSchema => ({ type: 'number', minimum: -most, maximum: most })
const id = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description,
})
const object = (
  required: string[],
  properties: Record<string, JsonSchema>,
  description?: string,
): JsonSchema => ({
  type: 'object',
  required,
  properties,
  ...(description !== undefined && { description }),
})

const person = {
  id: id('The id of the person at the provider.'),
  name: words,
  avatar: { ...text, description: 'The URL of a picture. The protocol `spec` requires it.' },
  profile_link: text,
  profile: object(
    [],
    {
      phone: { ...phone, type: ['integer', 'string'] },
      email: { ...text, description: 'The e-mail address.' },
    },
    'What else is known about the person. It is added to a contact.',
  ),
  ref_id: {
    ...text,
    description: 'The amojo_id of a person of the account who wrote the message outside Patchbay.',
  },
}

const members: Record<string, JsonSchema> = {
  text: { ...words, description: 'The text, or what is written beside a file.' },
  media: { ...text, description: 'The URL of the file.' },
  file_name: words,
  file_size: { type: 'integer', minimum: 0 },
  location: object(
    ['lon', 'lat'],
    { lon: degrees(180), lat: degrees(90) },
    'Of the type `location`: the place.',
  ),
  contact: object(
    ['name', 'phone'],
    { name: words, phone: { ...words, ...phone } },
    'Of the type `contact`: the person that it names.',
  ),
}

/** One for each kind, with what the protocol `spec` requires of it, or `live` if only that protocol has the kind. */
const message: JsonSchema = {
  oneOf: Object.entries(messageKinds).map(([type, { spec, live }]) =>
    object(['type', ...(spec ?? live)], { type: { type: 'string', enum: [type] }, ...members }),
  ),
  description: 'The message. `type` says what it must have.',
}

/** An edit keeps what it leaves out. */
const edited: JsonSchema = object([], {
  type: {
    type: 'string',
    enum: Object.keys(messageKinds),
    description: 'The type of the message, which stays.',
  },
  ...members,
  text: { ...text, description: 'Required for the type `text`, otherwise it may be empty or missing.' },
  delivery_status: object(
    ['status_code'],
    {
      status_code: {
        type: 'integer',
        enum: [1, 2, -1],
        description: '1 delivered, 2 read, -1 not delivered.',
      },
      error_code: { type: 'integer', description: '901 to 905, with -1.' },
      error: { ...text, description: 'The reason for 905.' },
    },
    'Whether a message of the account arrived.',
  ),
})

const event = (type: string, payload: JsonSchema): JsonSchema =>
  object(['event_type', 'payload'], { event_type: { type: 'string', enum: [type] }, payload })

export const describedPush: JsonSchema = {
  title: 'Push',
  oneOf: [
    event(
      'new_message',
      object(['timestamp', 'msgid', 'conversation_id', 'sender', 'message'], {
        timestamp: {
          ...time,
          maximum: 253_402_300_799_999,
          description: 'When the message was written. The protocol `live` accepts milliseconds, too.',
        },
        msgid: id('The id of the message at the provider. A message with the same id is stored once.'),
        conversation_id: id('The id of the conversation at the provider.'),
        sender: object(
          ['id', 'name'],
          person,
          'The customer, or the person of the account with this `ref_id`.',
        ),
        receiver: object(['id', 'name'], person, 'The customer, if a person of the account is the sender.'),
        message,
        silent: { type: 'boolean', description: 'Imported history: it opens no lead and is already read.' },
        source: object(
          [],
          { external_id: { ...text, description: 'The `external_id` of a source.' } },
          "The source of the channel's integration. It gives a new lead its pipeline.",
        ),
      }),
    ),
    event(
      'edit_message',
      object(['message'], {
        id: { ...text, description: 'Our id of the message, also of one that the account sent.' },
        msgid: {
          ...text,
          description:
            'The id of the message at the provider. Beside `id` it becomes the id of that message.',
        },
        message: edited,
      }),
    ),
  ],
}
