/** Reads members as older clients write them: numbers as text, lists as text with commas. */

/** A draft of v4, not yet validated. */
export interface Draft {
  [member: string]: unknown
  _embedded?: Record<string, unknown>
}

export type Item = Readonly<Record<string, unknown>>

/** Writes one member of an item to the draft. */
export type Translate = (draft: Draft, value: unknown) => void

/** A number, also if it is written as text. Other values stay, so that validation refuses them. */
export function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,6})?$/.test(value.trim()) ? Number(value) : value
}

/** A text, also if it is written as a number. */
export const textIn = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

/** The entries of a list, which can be an array, an object by numbers, a text with commas or one value. */
export function listIn(value: unknown): unknown[] {
  if (typeof value === 'object') return Object.values(value ?? {})
  if (typeof value !== 'string') return value === undefined ? [] : [value]
  return value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
}

/** Whether a value means yes: `1`, `"1"`, `true`, `"Y"`, `"on"`. */
export const flagIn = (value: unknown): unknown => flags.get(value) ?? value

const flags = new Map<unknown, boolean>([
  ...[1, '1', true, 'true', 'Y', 'on'].map((yes): [unknown, boolean] => [yes, true]),
  ...[0, '0', false, 'false', 'N', ''].map((no): [unknown, boolean] => [no, false]),
])

/** Translates to the member `name`. */
export const to =
  (name: string, read: (value: unknown) => unknown = (value) => value): Translate =>
  (draft, value) => {
    draft[name] = read(value)
  }

/** A time. 0 is none, as lists show it. */
export const timeIn = (value: unknown): unknown => (numberIn(value) === 0 ? null : numberIn(value))

/** Translates to a time that is left out if it is none. */
export const toTime =
  (name: string): Translate =>
  (draft, value) => {
    const time = timeIn(value)
    if (time !== null) draft[name] = time
  }

/** Translates to linked records. An empty value links nothing. */
export const toLinks =
  (kind: string): Translate =>
  (draft, value) => {
    const ids = listIn(value).map(numberIn)
    const linked = ids.filter((id) => id !== 0)
    if (linked.length > 0) draft._embedded = { ...draft._embedded, [kind]: linked.map((id) => ({ id })) }
  }

/** Translates to linked elements, which are written by their lists: `{"1001":{"7":2}}` are two of the element 7. */
export const toElements: Translate = (draft, value) => {
  const elements = Object.entries(Object(value)).flatMap(([catalog_id, quantities]) =>
    Object.entries(Object(quantities)).map(([id, quantity]) => ({
      id: numberIn(id),
      metadata: { catalog_id: numberIn(catalog_id), quantity: numberIn(quantity) },
    })),
  )
  if (elements.length > 0) draft._embedded = { ...draft._embedded, catalog_elements: elements }
}

/** Translates to tags, by their names. An empty value removes all tags. */
export const toTags: Translate = (draft, value) => {
  const tags = listIn(value).map((tag) => (typeof tag === 'object' ? tag : { name: textIn(tag) }))
  draft._embedded = { ...draft._embedded, tags }
}

/** The draft of an item. Members that the table does not have are ignored, like unknown members of v4 (V2). */
export function draftOf(item: Item, members: Readonly<Record<string, Translate>>): Draft {
  const draft: Draft = {}
  for (const [name, translate] of Object.entries(members))
    if (item[name] !== undefined && item[name] !== null) translate(draft, item[name])
  return draft
}
