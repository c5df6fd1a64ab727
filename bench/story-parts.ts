import type { EntityRow, EventKeyRow, EventRow, NoteRow, TaskRow } from '../src/db/tables.ts'
import { type EventDraft, eventTypes } from '../src/events/event-types.ts'
import { keysOf } from '../src/events/value-keys.ts'

/** The people and settings of a generated history. */
export interface Cast {
  account_id: number
  /** Five people who own most of the records. */
  owners: number[]
  /** People who work on the records of others. */
  workers: number[]
  /** A person who owns ten records. */
  few: number
  /** A person with a single event, long ago. */
  once: number
  /** People without events. */
  idle: number[]
  pipeline_id: number
  /** The usual stages of leads, one that a lead was in once, long ago, and an unused one. */
  stages: number[]
  stage_once: number
  stage_never: number
  fields: StoryField[]
  /** The field with choices, one of which was selected once and one never. */
  select: StoryField
  choice_once: number
  choice_never: number
  /** A field that was changed once. */
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

/** A record and its mutable values. */
export interface Card {
  id: number
  kind: Kind
  owner: number
  stage: number
  price: number
  /** Unix seconds. `changed` is 0 before the first event. */
  born: number
  changed: number
}

/** Rows that are inserted together. */
export interface Batch {
  entities: EntityRow[]
  events: EventRow[]
  event_keys: EventKeyRow[]
  notes: NoteRow[]
  tasks: TaskRow[]
}

/** The state of the generator. */
export interface Story {
  cast: Cast
  /** The planned and the current number of events. */
  count: number
  told: number
  random: () => number
  ulid: (at: number) => string
  cards: Card[]
  batch: Batch
  last: { note: number; task: number }
  open_tasks: { id: number; card: Card }[]
  /** The current change: its time in Unix milliseconds, author and request. */
  at: number
  by: number
  request_id: string
}

/** The elements of the list have the first ids, and the records those after them. */
export const ELEMENTS = 200
export const elementType = ({ catalog_id }: Cast) => `catalog_${catalog_id}` as const

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never
export type Told = Without<EventDraft, 'entity_type' | 'entity_id'>

/** Adds an event in the form of recordEvents. */
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

/** Adds a note to the record and returns the change that references it. */
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

/** Selects an item according to the weights. */
export function weighed<T>(random: () => number, weights: readonly (readonly [weight: number, T])[]): T {
  let left = random() * weights.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, one] of weights) {
    left -= weight
    if (left < 0) return one
  }
  throw new Error('nothing to choose from')
}
