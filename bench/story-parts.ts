import type { EntityRow, EventKeyRow, EventRow, NoteRow, TaskRow } from '../src/db/tables.ts'
import { type EventDraft, eventTypes } from '../src/events/event-types.ts'
import { keysOf } from '../src/events/value-keys.ts'

/** Who and what the story of an account is about. */
export interface Cast {
  account_id: number
  /** Five who share the records. */
  owners: number[]
  /** They work on the records of others. */
  workers: number[]
  /** He owns ten records. */
  few: number
  /** He did one thing, long ago. */
  once: number
  /** They never did anything. */
  idle: number[]
  pipeline_id: number
  /** Those that leads go through; one that a lead was in once, long ago; one that none was in. */
  stages: number[]
  stage_once: number
  stage_never: number
  fields: StoryField[]
  /** The field that offers choices; one of them was made once, and one never. */
  select: StoryField
  choice_once: number
  choice_never: number
  /** It was changed once. */
  old_field: StoryField
  catalog_id: number
}

export interface StoryField {
  id: number
  name: string
  type: string
  enums: readonly { id: number; value: string }[]
}

export const kinds = { leads: 'lead', contacts: 'contact', companies: 'company' } as const
export type Kind = keyof typeof kinds

/** A record, with what of it changes. */
export interface Card {
  id: number
  kind: Kind
  owner: number
  stage: number
  price: number
  /** Unix seconds; `changed` is 0 before anything is told of it. */
  born: number
  changed: number
}

/** Rows that go into the tables together. */
export interface Batch {
  entities: EntityRow[]
  events: EventRow[]
  event_keys: EventKeyRow[]
  notes: NoteRow[]
  tasks: TaskRow[]
}

/** As far as it is told. */
export interface Story {
  cast: Cast
  /** How many events it will have, and has. */
  count: number
  told: number
  random: () => number
  ulid: (at: number) => string
  cards: Card[]
  batch: Batch
  last: { note: number; task: number }
  open_tasks: { id: number; card: Card }[]
  /** What happens just now: when, in Unix milliseconds, by whom, in which request. */
  at: number
  by: number
  request_id: string
}

/** The elements of the list have the first ids, the cards those after them. */
export const ELEMENTS = 200
export const elementType = ({ catalog_id }: Cast) => `catalog_${catalog_id}` as const

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never
export type Told = Without<EventDraft, 'entity_type' | 'entity_id'>

/** Tells one event, as recordEvents writes it. */
export function say(story: Story, entity_type: EventDraft['entity_type'], entity_id: number, draft: Told) {
  story.told++
  const { account_id } = story.cast
  const id = story.ulid(story.at).toLowerCase()
  story.batch.events.push({
    account_id,
    id,
    type: eventTypes[draft.type].number,
    entity_type,
    entity_id,
    created_by: story.by,
    created_at: seconds(story),
    value_after: JSON.stringify(draft.after ?? []),
    value_before: JSON.stringify(draft.before ?? []),
    field_id: draft.field?.id ?? null,
    field_name: draft.field?.name ?? null,
    talk_contact_id: null,
    card_id: null,
    request_id: story.request_id,
  })
  for (const key of keysOf({ ...draft, entity_type, entity_id }))
    story.batch.event_keys.push({ account_id, key, event_id: id })
}

export const sayOf = (story: Story, card: Card, draft: Told): void =>
  say(story, kinds[card.kind], card.id, draft)

/** Puts a note on the card; answers the change that names it. */
export function note(story: Story, card: Card, note_type: string, params: object): { note: { id: number } } {
  const id = ++story.last.note
  story.batch.notes.push({
    account_id: story.cast.account_id,
    entity_type: card.kind,
    id,
    entity_id: card.id,
    note_type,
    params: JSON.stringify(params),
    responsible_user_id: card.owner,
    created_by: story.by,
    updated_by: story.by,
    created_at: seconds(story),
    updated_at: seconds(story),
    file_uuid: null,
    is_pinned: 0,
    is_deleted: 0,
  })
  return { note: { id } }
}

export const seconds = ({ at }: Story): number => Math.floor(at / 1000)

export const oneOf = <T>({ random }: Pick<Story, 'random'>, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

/** One of those that stand in the list, as often as their weights say. */
export function weighed<T>(random: () => number, weights: readonly (readonly [weight: number, T])[]): T {
  let left = random() * weights.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, one] of weights) {
    left -= weight
    if (left < 0) return one
  }
  throw new Error('nothing to choose from')
}
