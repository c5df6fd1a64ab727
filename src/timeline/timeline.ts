import type { Actor, FindActing } from '../accounts/accounts.ts'
import { readMessages } from '../chats/chats.ts'
import type { Context } from '../context.ts'
import { findAbsorbed, loadAccess, noteParents, notFound, readRecord } from '../entities/entities.ts'
import {
  type CardType,
  cardTypes,
  type EntityType,
  eventEntityType,
} from '../entities/records/entity-types.ts'
import { type EventKind, type EventType, eventTypes, type TimelineKind } from '../events/event-types.ts'
import { type CardKinds, readCard, readerOf, showEvents } from '../events/events.ts'
import type { Event } from '../events/schemas.ts'
import { readNotes } from '../notes/notes.ts'
import type { Note } from '../notes/schemas.ts'
import { eventSubjects, readTasks } from '../tasks/tasks.ts'
import type { TimelineItem } from './schemas.ts'

/**
 * A card's timeline: the log of the record and its tasks, and for a contact the chat messages of their leads. Each
 * event comes with its note, message or task. A person who can see the card reads the events that the list of events
 * would show, and the related objects that they could open themselves.
 */
export interface Card {
  type: EntityType
  id: number
  /** The list of an element. */
  catalog_id?: number
  inTrash: boolean
}

export interface Asked {
  /** Null for all kinds. */
  kinds: TimelineKind[] | null
  /** Numbers of the integrations that acted; null for everything. */
  integrations: number[] | null
  limit: number
  /** The id before which the page begins. */
  from: string | null
  /** The origin, and the address of the surface, both without a trailing slash. */
  origin: string
  base: string
  /** Whether the integrations that acted are shown, and how they are found. */
  withIntegrations: boolean
  acting: FindActing
}

/** The maximum number of merged records whose events are shown: the first ones. */
const MAX_ABSORBED = 100

/** A page, newest first, and the id before which the next one begins. Throws Refusal('not_found'). */
export async function readTimeline(
  ctx: Context,
  actor: Actor,
  card: Card,
  asked: Asked,
): Promise<{ items: TimelineItem[]; next: string | null }> {
  const { account_id } = actor
  const { kinds, integrations, limit, from, origin, base, withIntegrations, acting } = asked
  const access = await loadAccess(ctx.db, actor)
  const record = await readRecord(ctx.db, access, card.type, card.id, card.inTrash)
  if (card.catalog_id !== undefined && record.catalog_id !== card.catalog_id) throw notFound()
  const [reader, absorbed] = await Promise.all([
    readerOf(ctx.db, actor, eventSubjects),
    findAbsorbed(ctx.db, account_id, card.id, MAX_ABSORBED),
  ])
  const walked = { entity_type: eventEntityType(record), ids: [card.id, ...absorbed] }
  const filter = { kinds: kinds && eventsOfKinds(kinds), integrations }
  const page = await readCard(ctx.db, reader, walked, filter, { from, limit })
  const events = await showEvents(ctx, account_id, eventSubjects, page.events, asked)
  const about = events.map(subjectOf)
  const ids = <Of extends keyof Subject>(name: Of) => [...new Set(about.flatMap((one) => one[name] ?? []))]
  const [notes, messages] = await Promise.all([
    notesOf(ctx, actor, card.type, ids('note') as number[], { base, acting, withPinned: true }),
    readMessages(ctx, actor, ids('message') as string[], { origin, withIntegrations }),
  ])
  const done = [...notes.values()].flatMap((note) => taskOf(note) ?? [])
  const tasks = await readTasks(ctx.db, access, [...new Set([...(ids('task') as number[]), ...done])], asked)
  const items = events.map((event, i): TimelineItem => {
    const subject = about[i] as Subject
    const note = notes.get(subject.note ?? 0) ?? null
    return {
      id: event.id,
      kind: event.entity_type === 'task' ? 'task' : eventTypes[event.type as EventType].timeline,
      event,
      note,
      message: messages.get(subject.message ?? '') ?? null,
      task: tasks.get(subject.task ?? (note && taskOf(note)) ?? 0) ?? null,
    }
  })
  return { items, next: page.next }
}

/** The query of the log for these kinds. */
function eventsOfKinds(asked: readonly TimelineKind[]): CardKinds {
  const types: EventKind[] = Object.values(eventTypes).filter(({ timeline }) => asked.includes(timeline))
  return { types: types.map(({ number }) => number), tasks: asked.includes('task') }
}

/** The subject of an event besides the record, in the terms of the log. */
interface Subject {
  note?: number
  message?: string
  task?: number
}

function subjectOf({ entity_type, entity_id, value_after: [change] }: Event): Subject {
  const { note, message } = (change ?? {}) as { note?: { id: number }; message?: { id: string } }
  return {
    ...(note && { note: note.id }),
    ...(message && { message: message.id }),
    ...(entity_type === 'task' && { task: entity_id }),
  }
}

/** The task of a note with a result. */
const taskOf = ({ note_type, params }: Note): number | undefined =>
  note_type === 'task_result' ? (params as { task_id: number }).task_id : undefined

/** Elements have no notes. */
async function notesOf(
  ctx: Context,
  actor: Actor,
  type: EntityType,
  ids: number[],
  showing: Parameters<typeof readNotes>[2],
) {
  if (!isCard(type)) return new Map<number, Note>()
  return readNotes({ db: ctx.db, actor, parents: noteParents, type }, ids, showing)
}

const isCard = (type: EntityType): type is CardType => (cardTypes as readonly string[]).includes(type)
