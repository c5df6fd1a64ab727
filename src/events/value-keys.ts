import { createHash } from 'node:crypto'
import type { Changes } from './change-schemas.ts'
import { type EventDraft, type EventKind, eventTypes, type FilteredEventType } from './event-types.ts'

/**
 * The keys by which value filters find events. An event whose type has a value filter has one row in `event_keys` per
 * searchable value: the type's number, the side and the value.
 */
export type Side = 'after' | 'before'

export const keyOf = (type: number, side: Side, value: string): string => `${type} ${side} ${value}`

/** Longer texts are hashed. */
const MAX_TEXT = 64

/** The value parts of keys, used for recording and for filtering. */
export const values = {
  stage: (pipeline_id: number, status_id: number) => `${pipeline_id}.${status_id}`,
  id: (id: number) => String(id),
  choice: (field_id: number, enum_id: number) => `${field_id}#${enum_id}`,
  exact: (value: string | number) => {
    const text = String(value)
    return text.length <= MAX_TEXT
      ? `=${text}`
      : `sha256:${createHash('sha256').update(text).digest('base64url')}`
  },
}

type SearchedChange = (typeof eventTypes)[FilteredEventType]['after']

/** The searchable values of a change. */
const ofChange: { [Name in SearchedChange]: (change: Changes[Name]) => string[] } = {
  lead_status: ({ lead_status }) => [values.stage(lead_status.pipeline_id, lead_status.id)],
  customer_status: ({ customer_status }) => [values.id(customer_status.id)],
  responsible_user: ({ responsible_user }) => [values.id(responsible_user.id)],
  nps: ({ nps }) => [values.exact(nps.rate)],
  sale: ({ sale_field_value }) => [values.exact(sale_field_value.sale)],
  name: ({ name_field_value }) => [values.exact(name_field_value.name)],
  ltv: ({ ltv_field_value }) => [values.exact(ltv_field_value.ltv)],
  custom_field_value: ({ custom_field_value: { field_id, enum_id, text } }) => [
    values.exact(text),
    ...(enum_id === null ? [] : [values.choice(field_id, enum_id)]),
  ],
}

/** The keys of a new event. Most types have none. */
export function keysOf(draft: EventDraft): string[] {
  const kind: EventKind = eventTypes[draft.type]
  if (!kind.filters) return []
  const keys = (['after', 'before'] as const).flatMap((side) => {
    const name = kind[side]
    const keysOfOne = name && (ofChange[name as SearchedChange] as (change: unknown) => string[])
    if (!keysOfOne) return []
    return (draft[side] ?? []).flatMap(keysOfOne).map((value) => keyOf(kind.number, side, value))
  })
  return [...new Set(keys)]
}
