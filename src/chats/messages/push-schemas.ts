import { type Static, type TSchema, Type } from 'typebox'
import { type Fault, Refusal } from '../../errors.ts'
import { faultsIn } from '../../http/bodies/validation.ts'
import { LAST_SECOND, unixSeconds } from '../../http/times.ts'
import type { PushedPerson } from '../conversations/senders.ts'
import { DeliveryReport } from '../scopes/provider-schemas.ts'
import { kindsIn, type MessageType, type Protocol } from './message-kinds.ts'

/**
 * The schemas of pushes: strict about types and about what the protocol requires (C4; docs/wire/chats.md#pushes).
 * Unknown members are ignored.
 */

interface PushedMessage {
  type: MessageType
  text?: string | null
  media?: string | null
  file_name?: string | null
  file_size?: number | null
  [member: string]: unknown
}

/** A person by the provider's id, or in the live protocol by our id as well or alone. */
export type NamedPerson = Omit<PushedPerson, 'id' | 'name'> & {
  id?: string | null
  name?: string | null
}

export interface NewMessage {
  timestamp: number
  msgid: string
  /** One of the two is there. */
  conversation_id?: string | null
  conversation_ref_id?: string | null
  sender: NamedPerson
  message: PushedMessage
  receiver?: NamedPerson | null
  source?: { external_id?: string | null } | null
  silent?: boolean | null
  [member: string]: unknown
}

/** Names the message by our id or by the provider's. With both, the message gets the provider's id. */
export interface EditedMessage {
  id?: string | null
  msgid?: string | null
  message: EditedContent
}

/** A message keeps its type, and what the edit leaves out. */
export interface EditedContent extends Partial<PushedMessage> {
  delivery_status?: DeliveryReport | null
}

export type Push =
  | { event_type: 'new_message'; payload: NewMessage }
  | { event_type: 'edit_message'; payload: EditedMessage }

const Text = Type.String({ maxLength: 65_000 })
const Name = Type.String({ maxLength: 255 })
const Needed = { minLength: 1 }
const Id = Type.String({ ...Needed, maxLength: 255 })
const Address = Type.String({ maxLength: 2_048, format: 'web-address' })
const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Time = Type.Integer({ minimum: 0, maximum: LAST_SECOND })
/** Clients of the live service also write milliseconds. */
const LiveTime = Type.Integer({ minimum: 0, maximum: (LAST_SECOND + 1) * 1_000 - 1 })
/** A phone has at most fifteen digits. */
const PhoneNumber = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 })
const Email = Type.String({ maxLength: 254 })
const anything = Type.Object({})

const messageMembers = {
  text: Text,
  media: Address,
  file_name: Name,
  file_size: Whole,
  location: Type.Object({
    lon: Type.Number({ minimum: -180, maximum: 180 }),
    lat: Type.Number({ minimum: -90, maximum: 90 }),
  }),
  contact: Type.Object({ name: Name, phone: Type.String({ maxLength: 64 }) }),
}

/** Members of the live protocol. They are stored as received. */
export const liveMessageMembers = {
  sticker_id: Name,
  callback_data: Type.String({ maxLength: 4_096 }),
  media_duration: Whole,
  shared_post: anything,
  post: anything,
  delivery_status: Type.Union([Type.Integer({ minimum: -1, maximum: 2 }), anything]),
}
export const livePayloadMembers = {
  msec_timestamp: Whole,
  conversation_ref_id: Name,
  reply_to: anything,
  forwards: anything,
}

const optional = (members: Record<string, TSchema>) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)]))

/** Clients of the live service send null for absent members. */
const orNull = (members: Record<string, TSchema>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, Type.Union([schema, Type.Null()])]),
  )

/** Members that an edit leaves out if the file stays. */
const FILE = ['media', 'file_name', 'file_size']

/** The members of an edited message by its type. The required ones must not be empty, nor a new file. */
export const editedContents = new Map<string, TSchema>(
  kindsIn('live').map(([type, required]) => [
    type,
    Type.Unsafe({
      type: 'object',
      required: required.filter((name) => !FILE.includes(name)),
      properties: Object.fromEntries(required.map((name) => [name, neededMember(name)])),
    }),
  ]),
)

/** All members with their types, and by the type of the message the required ones, which must not be empty. */
function messageIn(protocol: Protocol): TSchema {
  const loose = (members: Record<string, TSchema>) =>
    optional(protocol === 'live' ? orNull(members) : members)
  const members = { ...messageMembers, ...(protocol === 'live' && liveMessageMembers) }
  return Type.Unsafe({
    ...Type.Object({ type: Type.String(), ...loose(members) }),
    discriminator: { propertyName: 'type' },
    oneOf: kindsIn(protocol).map(([type, required]) => ({
      required: ['type', ...required],
      properties: {
        type: { const: type },
        ...Object.fromEntries(required.map((name) => [name, neededMember(name)])),
      },
    })),
  })
}

function neededMember(name: keyof typeof messageMembers): object {
  const member = messageMembers[name]
  return { ...member, ...(member.type === 'string' && Needed) }
}

const specPerson = Type.Object({
  id: Id,
  avatar: Type.String({ ...Needed, maxLength: 2_048, format: 'web-address' }),
  name: Type.String({ ...Needed, maxLength: 255 }),
  profile_link: Type.Optional(Address),
  profile: Type.Optional(Type.Object(optional({ phone: PhoneNumber, email: Email }))),
})

/** An id is required unless `ref_id` names the person: see `missingIn`. `customerOf` asks for the name of a new one. */
const livePerson: TSchema = Type.Object(
  optional(
    orNull({
      id: Id,
      name: Name,
      avatar: Address,
      profile_link: Address,
      ref_id: Name,
      profile: Type.Object(
        optional(orNull({ phone: Type.Union([Type.String({ maxLength: 64 }), PhoneNumber]), email: Email })),
      ),
    }),
  ),
)

const schemas: Record<Protocol | 'edit', TSchema> = {
  spec: Type.Object({
    event_type: Type.Enum(['new_message']),
    payload: Type.Object({
      timestamp: Time,
      msgid: Id,
      conversation_id: Id,
      sender: specPerson,
      message: messageIn('spec'),
    }),
  }),
  live: Type.Object({
    event_type: Type.Enum(['new_message', 'edit_message']),
    payload: Type.Object({
      timestamp: LiveTime,
      msgid: Id,
      sender: livePerson,
      message: messageIn('live'),
      ...optional(
        orNull({
          ...livePayloadMembers,
          conversation_id: Id,
          receiver: livePerson,
          source: Type.Object(optional(orNull({ external_id: Type.String({ maxLength: 40 }) }))),
          silent: Type.Boolean(),
        }),
      ),
    }),
  }),
  edit: Type.Object({
    event_type: Type.Enum(['edit_message']),
    payload: Type.Object({
      ...optional(orNull({ id: Id, msgid: Id })),
      message: Type.Object(
        optional(
          orNull({
            type: Type.Enum(kindsIn('live').map(([type]) => type)),
            ...messageMembers,
            ...liveMessageMembers,
            delivery_status: DeliveryReport,
          }),
        ),
      ),
    }),
  }),
}

/** Validates the body of a push. Throws Refusal('invalid') naming each wrong member by its path. */
export function readPush(protocol: Protocol, body: unknown): Push {
  if (body === undefined || body === null) throw new Refusal('invalid', 'Request data can not be empty')
  const faults = faultsOf(protocol, body)
  if (faults.length > 0)
    throw new Refusal('invalid', `Request validation failed${hintOf(protocol, body, faults)}`, {
      faults: faults.slice(0, 100),
    })
  return protocol === 'live' ? livePush(body as Push) : specPush(body as { payload: NewMessage })
}

function faultsOf(protocol: Protocol, body: unknown): Fault[] {
  if (protocol === 'spec') return faultsIn(schemas.spec, body, '0', '')
  const { event_type, payload } = Object(body) as { event_type?: unknown; payload?: unknown }
  const isEdit = event_type === 'edit_message'
  const faults = faultsIn(isEdit ? schemas.edit : schemas.live, body, '0', '')
  if (faults.some(({ path }) => path === '' || path === 'payload')) return faults
  const missing = isEdit ? missingInEdit(payload as EditedMessage) : missingIn(payload as NewMessage)
  return [...faults, ...missing.map(missingFault)]
}

/** An edit names its message by one of two ids. */
const missingInEdit = ({ id, msgid }: EditedMessage): string[] => (id || msgid ? [] : ['msgid'])

/** The provider's ids that a new message leaves out without giving ours instead. */
function missingIn({
  conversation_id,
  conversation_ref_id,
  sender,
  receiver,
}: Partial<NewMessage>): string[] {
  const ofPeople = Object.entries({ sender, receiver }).flatMap(([member, person]) => {
    const named = Object(person) as NamedPerson
    const isNamed = typeof person !== 'object' || person === null || named.ref_id || named.id != null
    return isNamed ? [] : [`${member}.id`]
  })
  return conversation_id == null && !conversation_ref_id ? ['conversation_id', ...ofPeople] : ofPeople
}

const missingFault = (member: string): Fault => ({
  request_id: '0',
  code: 'FieldMissing',
  path: `payload.${member}`,
  detail: 'This field is missing.',
})

/** Names the other protocol if it would reject less of the body. */
const hintOf = (protocol: Protocol, body: unknown, faults: Fault[]): string =>
  protocol === 'spec' && faultsOf('live', body).length < faults.length ? OTHER_PROTOCOL : ''

const OTHER_PROTOCOL =
  '. This channel uses the protocol `spec`. The protocol `live` accepts more of this body: ' +
  'change it in the settings, or use `channel create --protocol live`.'

/** Drops members that the specification does not have: they were not validated. */
function specPush({ payload }: { payload: NewMessage }): Push {
  const { timestamp, msgid, conversation_id } = payload
  const { id, name, avatar = null, profile_link = null, profile = null } = payload.sender
  const { type } = payload.message
  const members = Object.keys(messageMembers).map((member) => [member, payload.message[member]])
  const message: PushedMessage = { ...Object.fromEntries(members), type }
  const sender = { id, name, avatar, profile_link, profile }
  return { event_type: 'new_message', payload: { timestamp, msgid, conversation_id, sender, message } }
}

function livePush(push: Push): Push {
  if (push.event_type === 'edit_message') return push
  const { payload } = push
  return { ...push, payload: { ...payload, timestamp: unixSeconds(payload.timestamp) } }
}

const orNone = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()])

export const Pushed = Type.Object(
  {
    new_message: Type.Object({
      conversation_id: Type.String({ description: 'Our id of the conversation.' }),
      sender_id: orNone(Type.String({ description: 'Our id of the sender.' })),
      receiver_id: orNone(Type.String({ description: 'Our id of the receiver.' })),
      msgid: Type.String({ description: 'Our id of the message.' }),
      ref_id: Type.String({
        description: "The provider's id: the `msgid` of the request. Empty if the message has none.",
      }),
    }),
  },
  { title: 'PushedMessage' },
)
export type PushAnswer = Static<typeof Pushed>
