import { type Static, type TObject, Type } from 'typebox'
import type { EventTypeWith } from '../events/event-types.ts'

const system = {
  created: Type.Object({ text: Type.String() }),
  visited: Type.Object({ url: Type.String() }),
  targeted: Type.Object({
    contacts: Type.Array(Type.Integer(), { description: 'The ids of the contacts.' }),
    campaign: Type.String(),
    service: Type.String(),
  }),
}

/** Notes that the server itself writes, with their params as they are read. */
export const systemNotes = {
  lead_created: system.created,
  contact_created: system.created,
  company_created: system.created,
  customer_created: system.created,
  task_result: Type.Object({
    text: Type.String(),
    task_id: Type.Integer({ description: 'The id of the task.' }),
  }),
  site_visit: system.visited,
  link_followed: system.visited,
  targeting_in: system.targeted,
  targeting_out: system.targeted,
}
export type SystemNotes = { [T in keyof typeof systemNotes]: Static<(typeof systemNotes)[T]> }

export type SystemNoteDraft = {
  [T in keyof SystemNotes]: {
    note_type: T
    params: SystemNotes[T]
    /** `leads`, `contacts`, `companies` or `customers`. */
    entity_type: string
    entity_id: number
    responsible_user_id: number
  }
}[keyof SystemNotes]

/** A non-blank text. */
const said = (maxLength: number) => ({ minLength: 1, maxLength, pattern: '\\S' })
const Said = (maxLength: number) => Type.String(said(maxLength))
const Text = Said(65_535)
const Short = Said(255)
/** A web address that can be a link, or empty: exchanges send an empty one for a call without a recording. */
const WebAddress = Type.String({ maxLength: 2_048, format: 'web-address' })
export const FileUuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
})

const CallStatus = Type.Integer({
  minimum: 1,
  maximum: 8,
  description:
    '1 left a message, 2 call back, 3 absent, 4 talked, 5 wrong number, 6 no answer, 7 busy, 8 not known.',
})

export const CallParams = Type.Object({
  // N9, N1.
  uniq: Type.Optional(
    Type.String({
      ...said(255),
      description: 'The id of the call, unique in the account. Generated if absent.',
    }),
  ),
  duration: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Whole seconds.',
  }),
  source: Type.String({ ...said(255), description: 'The name of the telephony service.' }),
  link: Type.Optional(
    Type.String({
      maxLength: 2_048,
      format: 'web-address',
      description: 'The address of the recording, http or https. It may be empty.',
    }),
  ),
  phone: Type.String({ ...said(255), description: "The other party's telephone number." }),
  call_result: Type.Optional(Type.String({ maxLength: 65_535 })),
  call_status: Type.Optional(CallStatus),
  call_responsible: Type.Optional(
    Type.Union(
      [Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ maxLength: 255 })],
      { description: 'The id of a user of the account, or a name.' },
    ),
  ),
})
export type CallParams = Static<typeof CallParams>

const Served = Type.Object({ service: Short, text: Said(4_096) })
/** With extended text length. */
const ExtendedServed = Type.Object({ service: Short, text: Text })
const Paid = Type.Object({ icon_url: Type.Optional(WebAddress), service: Short, text: Text })
const Sms = Type.Object({ text: Text, phone: Short })

const cashierStatuses = ['created', 'shown', 'canceled'] as const

/** The file is identified by its id. The name is stored in the note. */
export const AttachmentParams = Type.Object({
  file_uuid: FileUuid,
  version_uuid: Type.Optional(FileUuid),
  file_name: Type.Optional(Short),
})

/** The params of an attachment as they are stored and read. */
export const StoredAttachment = Type.Object({
  is_drive_attachment: Type.Literal(true, { description: 'The file is in the file service.' }),
  text: Type.String({ description: 'The same as `file_name`.' }),
  original_name: Type.String({ description: 'The name of the file when it was attached.' }),
  attachment: Type.String({ description: 'The same as `original_name`.' }),
  file_uuid: Type.String({ description: 'The id of the file in the file service.' }),
  version_uuid: Type.String({ description: 'The id of the version of the file.' }),
  file_name: Type.String({ description: 'The name that the note shows.' }),
})
export type StoredAttachment = Static<typeof StoredAttachment>

const SafeId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Targeted = Type.Object({
  contacts: Type.Array(SafeId, { maxItems: 250 }),
  campaign: Short,
  service: Short,
})

export interface NoteKind {
  /** The writable params. Unknown members are dropped. */
  params: TObject
  /** The event of such a note; null if the log has no type for it. */
  event: EventTypeWith<{ after: 'note' }> | null
  /** The note records an external event. It can be written but not edited. */
  isFinal?: true
}

/** The types that callers can write (docs/wire/notes.md#types): their params (N1) and events (N2). */
export const noteTypes = {
  common: { params: Type.Object({ text: Text }), event: 'common_note_added' },
  call_in: { params: CallParams, event: 'incoming_call' },
  call_out: { params: CallParams, event: 'outgoing_call' },
  service_message: { params: Served, event: 'service_note_added' },
  extended_service_message: { params: ExtendedServed, event: 'service_note_added' },
  message_cashier: {
    params: Type.Object({
      status: Type.Enum([...cashierStatuses], { description: 'Of the message to the cashier.' }),
      text: Text,
    }),
    event: 'message_to_cashier_note_added',
  },
  invoice_paid: { params: Paid, event: 'service_note_added' },
  bill_paid: { params: Paid, event: 'service_note_added' },
  geolocation: {
    params: Type.Object({
      text: Text,
      address: Said(1_024),
      longitude: Type.String({ ...said(64), description: 'Degrees, as text: `-3.7038`.' }),
      latitude: Type.String({ ...said(64), description: 'Degrees, as text: `40.4168`.' }),
    }),
    event: 'geo_note_added',
  },
  sms_in: { params: Sms, event: 'incoming_sms' },
  sms_out: { params: Sms, event: 'outgoing_sms' },
  attachment: { params: AttachmentParams, event: 'attachment_note_added' },
  site_visit: {
    params: Type.Object({ url: Type.String({ minLength: 1, maxLength: 2_048, format: 'web-address' }) }),
    event: 'site_visit_note_added',
    isFinal: true,
  },
  targeting_in: { params: Targeted, event: 'targeting_in_note_added', isFinal: true },
  targeting_out: { params: Targeted, event: 'targeting_out_note_added', isFinal: true },
  ai_result: {
    params: Type.Object({
      text: Text,
      answer_id: Type.Optional(Type.Union([SafeId, Short], { description: 'Stored as it was sent.' })),
      talk_id: Type.Optional(SafeId),
      is_error: Type.Optional(Type.Boolean({ description: 'Stored as it was sent.' })),
    }),
    event: null,
    isFinal: true,
  },
} as const satisfies Record<string, NoteKind>

export type WritableNoteType = keyof typeof noteTypes
export const writableNoteTypes = Object.keys(noteTypes) as WritableNoteType[]
/** Whether notes of the type can be changed. System notes and records of external events cannot. */
export const isEditable = (name: string): name is WritableNoteType =>
  isWritable(name) && !('isFinal' in noteTypes[name])
export const isCall = (name: string): boolean => name === 'call_in' || name === 'call_out'
export const isWritable = (name: string): name is WritableNoteType => Object.hasOwn(noteTypes, name)

/** All values of `note_type`. `transaction` is a type of the platform that this server does not write. */
export const knownNoteTypes: ReadonlySet<string> = new Set([
  ...writableNoteTypes,
  ...Object.keys(systemNotes),
  'transaction',
])

/** Types of the live service that no note has here. A filter accepts them beside others and finds nothing. */
const unwrittenTypes = new Set([
  'amomail_message',
  'chat',
  'dropbox_attachment',
  'lead_auto_created',
  'mail_message',
  'zoom_meeting',
])

export const isFilteredNoteType = (name: string): boolean =>
  knownNoteTypes.has(name) || unwrittenTypes.has(name)
