import { Type } from 'typebox'
import { Time } from '../../http/times.ts'

/** Members of the metadata that existing clients send as texts or as numbers. */
const Word = Type.Union([Type.String({ maxLength: 2_048 }), Type.Number(), Type.Null()])
const Words = Type.Optional(Word)
const TimeOrText = Type.Optional(Type.Union([Time, Type.String({ pattern: '^\\d{1,10}$' }), Type.Null()]))
const Seconds = Type.Optional(
  Type.Union([
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Type.String({ pattern: '^\\d{1,10}$' }),
    Type.Null(),
  ]),
)

/** An id or a name, as in a note of a call. */
const Responsible = Type.Optional(
  Type.Union([
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Type.String({ maxLength: 255 }),
    Type.Null(),
  ]),
)

const sip = {
  from: Type.Optional(Type.Union(Word.anyOf, { description: 'Where the call comes from.' })),
  phone: Type.Optional(Type.Union(Word.anyOf, { description: 'The telephone number of the call.' })),
  called_at: TimeOrText,
  duration: Seconds,
  link: Type.Optional(
    Type.Union([Type.String({ maxLength: 2_048, format: 'web-address' }), Type.Null()], {
      description: 'The address of the recording.',
    }),
  ),
  service_code: Words,
  uniq: Words,
  call_responsible: Responsible,
  is_call_event_needed: Type.Optional(
    Type.Boolean({ description: 'Writes the call into the card of the lead.' }),
  ),
}

const forms = {
  form_id: Words,
  form_type: Words,
  form_name: Words,
  form_page: Words,
  ip: Words,
  form_sent_at: TimeOrText,
  referer: Words,
  visitor_uid: Words,
}

/** Where an incoming lead comes from, as integrations write it. */
export const WrittenMetadata = {
  sip: Type.Object(sip, { title: 'WrittenCallMetadata' }),
  forms: Type.Object(forms, { title: 'WrittenFormMetadata' }),
}

/** The metadata of a lead of `leads/complex`, with the category among it. */
export const ComplexMetadata = Type.Object(
  {
    category: Type.Optional(
      Type.String({ maxLength: 32, description: '`sip` or `forms`. Another value adds an ordinary lead.' }),
    ),
    ...sip,
    ...forms,
  },
  { title: 'WrittenIncomingMetadata' },
)
