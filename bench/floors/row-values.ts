import { newUlid } from '../../src/db/ulids.ts'
import { eventTypes } from '../../src/events/event-types.ts'
import type { Constants, DraftValue, LeadDraft } from './rows.ts'

const clock = { clock: Date.now }

/** An id for an event, in the order of time. */
export const newId = (): string => newUlid(clock)

export const types = {
  lead: eventTypes.lead_added.number,
  value: eventTypes.custom_field_value_changed.number,
  price: eventTypes.sale_field_changed.number,
  note: eventTypes.common_note_added.number,
  message: eventTypes.incoming_chat_message.number,
}

type Form = (value: never) => string
interface FieldForms {
  /** The number of the type in events. */
  number: number
  /** The value in the key of the field, and in events. */
  key: Form
  text: Form
}

const plain = (value: string) => value

/** A number as text that sorts like it: the bytes of a double, with the sign inverted. None is negative. */
function sortable(value: number | string): string {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(Number(value))
  bytes[0] = (bytes[0] as number) | 0x80
  return bytes.toString('hex')
}
const bit = (value: boolean) => (value ? '1' : '0')

const forms: Record<string, FieldForms> = {
  text: { number: 1, key: plain, text: plain },
  numeric: { number: 2, key: sortable, text: plain },
  checkbox: { number: 3, key: bit, text: bit },
  select: { number: 4, key: String, text: plain },
  date: { number: 6, key: sortable, text: String },
}

/** A value in the forms that its rows have. */
export interface Valued {
  field_id: number
  field_name: string
  stored: unknown
  key: string
  /** The value in an event, as JSON, and the keys of the event. */
  after: string
  event_keys: string[]
}

/** Makes the function that describes the values of a lead. */
export function describing({ fields }: Constants): (draft: LeadDraft) => Valued[] {
  const known = new Map(
    fields.map((field) => [
      field.id,
      { ...field, options: new Map(field.enums.map((one) => [one.id, one.value])) },
    ]),
  )
  return ({ custom_fields_values = [] }) =>
    custom_fields_values.map(({ field_id, values: [{ value, enum_id }] }) => {
      const { type, name, options } = known.get(field_id) as NonNullable<ReturnType<typeof known.get>>
      const { number, key, text } = forms[type] as FieldForms
      const stored = enum_id ?? value
      const shown = text((enum_id === undefined ? value : options.get(enum_id)) as never)
      const change = { field_id, field_type: number, enum_id: enum_id ?? null, text: shown }
      return {
        ...{ field_id, field_name: name, stored, key: key(stored as never) },
        after: JSON.stringify([{ custom_field_value: change }]),
        event_keys: [
          `${types.value} after =${shown}`,
          ...(enum_id === undefined ? [] : [`${types.value} after ${field_id}#${enum_id}`]),
        ],
      }
    })
}

export const storedText = (values: Valued[]): string =>
  JSON.stringify(Object.fromEntries(values.map(({ field_id, stored }) => [field_id, [stored]])))

/** The words that a search finds: those of the name and of the text. */
export const wordsOf = ({ name, custom_fields_values: [first] = [] }: LeadDraft): Set<string> =>
  new Set(
    `${name} ${(first?.values[0] as DraftValue | undefined)?.value ?? ''}`.trim().toLowerCase().split(' '),
  )

export const priceChange = (sale: number): string => `[{"sale_field_value":{"sale":${sale}}}]`
export const priceKeys = (before: number, after: number): [string, string] => [
  `${types.price} after =${after}`,
  `${types.price} before =${before}`,
]
export const noteChange = (id: number): string => `[{"note":{"id":${id}}}]`

/** The value of the event of a message. */
export const messageChange = (id: string, talk_id: string | number, channel_id: string): string =>
  `[{"message":{"id":"${id}","talk_id":${talk_id},"origin":"${channel_id}"}}]`
