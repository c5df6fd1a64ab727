import { randomUUID } from 'node:crypto'
import { type Actor, actingIntegration } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import { writeTogether } from '../db/row-sets.ts'
import type { NoteRow } from '../db/tables.ts'
import type { EventDraft } from '../events/event-types.ts'
import { recordEvents } from '../events/events.ts'
import { noteTypes, type WritableNoteType } from './note-types.ts'
import { type CardType, cardKinds } from './parents.ts'
import { insertNotes } from './queries.ts'
import { announceNotes } from './webhook-notes.ts'

/** A new note with valid params. */
export interface NoteDraft {
  entity_type: CardType
  entity_id: number
  note_type: WritableNoteType
  params: object
  /** The author and time; by default the actor and now. */
  created_by?: number | undefined
  updated_by?: number | undefined
  created_at?: number | undefined
  updated_at?: number | undefined
  responsible_user_id?: number | undefined
}

/**
 * Writes notes and their events, one statement per table, and returns the notes in the given order, with new ids or
 * those that were taken. The caller has locked their records and checked the drafts.
 */
export async function writeNotes(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  drafts: readonly NoteDraft[],
  taken?: readonly number[],
): Promise<NoteRow[]> {
  if (drafts.length === 0) return []
  const now = ctx.now()
  const by_integration = actingIntegration(actor)
  const ids = taken ?? (await nextIds(tx, 'notes', drafts.length))
  const rows = drafts.map(
    (draft, i): NoteRow => ({
      account_id: actor.account_id,
      entity_type: draft.entity_type,
      id: ids[i] as number,
      entity_id: draft.entity_id,
      note_type: draft.note_type,
      params: storedParams(draft.note_type, draft.params),
      file_uuid: fileIn(draft.note_type, draft.params),
      responsible_user_id: draft.responsible_user_id ?? actor.user_id,
      created_by: draft.created_by ?? actor.user_id,
      updated_by: draft.updated_by ?? actor.user_id,
      created_by_integration: by_integration,
      updated_by_integration: by_integration,
      created_at: draft.created_at ?? now,
      updated_at: draft.updated_at ?? now,
      is_pinned: 0,
      is_deleted: 0,
    }),
  )
  const write = async () => {
    await insertNotes(tx, rows)
    await recordEvents(ctx, tx, actor, rows.flatMap(eventOf))
  }
  await writeTogether(tx, write, () => announceNotes(ctx, tx, actor, rows))
  return rows
}

/** The stored form of params: the members of the type, in one order. */
export function storedParams(note_type: WritableNoteType, params: object): string {
  const given = new Map(Object.entries(params).filter(([, value]) => value !== undefined))
  // A call without an id gets one (N1).
  if ('uniq' in noteTypes[note_type].params.properties && !given.has('uniq')) given.set('uniq', randomUUID())
  const members =
    note_type === 'attachment' ? attachmentMembers : Object.keys(noteTypes[note_type].params.properties)
  return JSON.stringify(
    Object.fromEntries(members.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : []))),
  )
}

/** The attached file, by which its cards are found. */
export const fileIn = (note_type: string, params: object): string | null =>
  note_type === 'attachment' ? (params as { file_uuid: string }).file_uuid : null

/** An attachment is stored as it is returned. */
const attachmentMembers = [
  'is_drive_attachment',
  'text',
  'original_name',
  'attachment',
  'file_uuid',
  'version_uuid',
  'file_name',
]

function eventOf(row: NoteRow): EventDraft[] {
  const { event } = noteTypes[row.note_type as WritableNoteType]
  if (event === null) return []
  return [
    {
      type: event,
      entity_type: cardKinds[row.entity_type as CardType],
      entity_id: row.entity_id,
      after: [{ note: { id: row.id } }],
    },
  ]
}
