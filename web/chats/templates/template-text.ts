import type { Chat } from '../../data/chats.ts'
import { queryClient } from '../../data/query-client.ts'
import { recordOptions } from '../../data/records.ts'
import type { useFormat } from '../../parts/texts/format.ts'

/** The markers that stand for values of the contact and the lead. Custom fields are named by their ids. */
export const markers = [
  '{{contact.name}}',
  '{{contact.id}}',
  '{{lead.name}}',
  '{{lead.id}}',
  '{{lead.price}}',
  '{{contact.cf.ID}}',
  '{{lead.cf.ID}}',
] as const

const MARKER = /\{\{\s*(contact|lead)\.(?:(\w+)|cf\.(\d+))\s*\}\}/g

/** A text that was made from a template. */
export interface FilledIn {
  text: string
  /** The markers that have a value. */
  params: { key: string; value: string }[]
}

/** The content of a template with the values of a chat. A marker without a value stays as it is, for the person to see. */
export async function filledIn(content: string, chat: Chat, format: Format): Promise<FilledIn> {
  const fields = new Map<string, string>()
  for (const [marker, kind, , field] of content.matchAll(MARKER))
    if (field) fields.set(marker, await fieldValue(chat, kind as Kind, Number(field), format))
  const params = new Map<string, string>()
  const text = content.replace(MARKER, (marker, kind: Kind, member?: string) => {
    const value = member === undefined ? fields.get(marker) : memberOf(chat, kind, member, format)
    if (value) params.set(marker, value)
    return value || marker
  })
  return { text, params: [...params].map(([key, value]) => ({ key, value })) }
}

type Kind = 'contact' | 'lead'
/** Dates and numbers in the language of the person who writes. */
type Format = Pick<ReturnType<typeof useFormat>, 'calendarDay' | 'dateTime' | 'amount'>

function memberOf({ _embedded }: Chat, kind: Kind, member: string, { amount }: Format): string {
  const { lead } = _embedded
  if (kind === 'lead' && member === 'price') return lead ? amount(lead.price_with_minor_units) : ''
  const values: Record<string, unknown> = _embedded[kind] ?? {}
  return ['id', 'name'].includes(member) ? String(values[member] ?? '') : ''
}

/** The values of a custom field, in one text. */
async function fieldValue(
  { _embedded }: Chat,
  kind: Kind,
  field_id: number,
  { calendarDay, dateTime }: Format,
): Promise<string> {
  const id = _embedded[kind]?.id
  if (id === undefined) return ''
  const record = await queryClient.fetchQuery(recordOptions(`${kind}s`, id)).catch(() => undefined)
  const field = record?.custom_fields_values?.find((one) => one.field_id === field_id)
  if (!field) return ''
  const isDay = field.field_type === 'date' || field.field_type === 'birthday'
  const isTime = field.field_type === 'date_time'
  const shown = (value: unknown) => {
    if (typeof value === 'object' || value === undefined) return ''
    if (typeof value !== 'number' || !(isDay || isTime)) return String(value)
    return isDay ? calendarDay(value) : dateTime(value)
  }
  return (field.values as readonly object[])
    .map((one) => shown('value' in one ? one.value : undefined))
    .filter(Boolean)
    .join(', ')
}
