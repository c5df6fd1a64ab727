import type { EntityRow, EventKeyRow, EventRow, NoteRow, TaskRow } from '../src/db/tables.ts'
import { type EventDraft, eventTypes } from '../src/events/event-types.ts'
import { keysOf } from '../src/events/value-keys.ts'

/** The people and settings of a generated history. */
export interface Fixtures {
  account_id: number
  /** Five people who own most of the records. */
  owners: number[]
  /** People who work on the records of others. */
  workers: number[]
  /** A person who owns ten records. */
  few: number
  /** A person with a single event, long ago. */
  once: number
  /** Integrations by their numbers: one acts for a worker, one acted once, long ago, and one never. */
  integrations: { id: string; number: number }[]
  /** People without events. */
  idle: number[]
  pipeline_id: number
  /** The usual stages of leads, one that a lead was in once, long ago, and an unused one. */
  stages: number[]
  stage_once: number
  stage_never: number
  fields: HistoryField[]
  /** The field with choices, one of which was selected once and one never. */
  select: HistoryField
  choice_once: number
  choice_never: number
  /** A field that was changed once. */
  old_field: HistoryField
  catalog_id: number
}

export interface HistoryField {
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
  created: number
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
export interface HistoryState {
  fixtures: Fixtures
  /** The planned and the current number of events. */
  count: number
  generated: number
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
export const elementType = ({ catalog_id }: Fixtures) => `catalog_${catalog_id}` as const

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never
export type ChangeDraft = Without<EventDraft, 'entity_type' | 'entity_id'>

/** The integration that makes the current change. */
export function integrationOf({
  fixtures: { integrations, workers, once },
  by,
}: HistoryState): number | null {
  const [busy, rare] = integrations
  if (by === workers[0]) return busy?.number ?? null
  return by === once ? (rare?.number ?? null) : null
}

/** Adds an event in the form of recordEvents. */
export function addEvent(
  history: HistoryState,
  entity_type: EventDraft['entity_type'],
  entity_id: number,
  draft: ChangeDraft,
) {
  history.generated++
  const { account_id } = history.fixtures
  const id = history.ulid(history.at).toLowerCase()
  history.batch.events.push({
    account_id,
    id,
    type: eventTypes[draft.type].number,
    entity_type,
    entity_id,
    created_by: history.by,
    created_by_integration: integrationOf(history),
    created_at: seconds(history),
    value_after: JSON.stringify(draft.after ?? []),
    value_before: JSON.stringify(draft.before ?? []),
    field_id: draft.field?.id ?? null,
    field_name: draft.field?.name ?? null,
    talk_contact_id: null,
    card_id: null,
    request_id: history.request_id,
  })
  for (const key of keysOf({ ...draft, entity_type, entity_id }))
    history.batch.event_keys.push({ account_id, key, event_id: id })
}

export const addEventOf = (history: HistoryState, card: Card, draft: ChangeDraft): void =>
  addEvent(history, kinds[card.kind], card.id, draft)

/** Adds a note to the record and returns the change that references it. */
export function note(
  history: HistoryState,
  card: Card,
  note_type: string,
  params: object,
): { note: { id: number } } {
  const id = ++history.last.note
  history.batch.notes.push({
    account_id: history.fixtures.account_id,
    entity_type: card.kind,
    id,
    entity_id: card.id,
    note_type,
    params: JSON.stringify(params),
    responsible_user_id: card.owner,
    created_by: history.by,
    updated_by: history.by,
    created_by_integration: integrationOf(history),
    updated_by_integration: integrationOf(history),
    created_at: seconds(history),
    updated_at: seconds(history),
    file_uuid: null,
    is_pinned: 0,
    is_deleted: 0,
  })
  return { note: { id } }
}

export const seconds = ({ at }: HistoryState): number => Math.floor(at / 1000)

export const oneOf = <T>({ random }: Pick<HistoryState, 'random'>, list: readonly T[]): T =>
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
