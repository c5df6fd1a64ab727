import { randomUUID } from 'node:crypto'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { NoteRow } from '../db/tables.ts'
import type { EventDraft } from '../events/event-types.ts'
import { recordEvents } from '../events/events.ts'
import { noteTypes, type WritableNoteType } from './note-types.ts'
import { type CardType, cardKinds } from './parents.ts'
import { insertNotes } from './queries.ts'

/** A note that is added, with params that fit its type. */
export interface NoteDraft {
  entity_type: CardType
  entity_id: number
  note_type: WritableNoteType
  params: object
  /** Whoever adds it, now, unless the draft says otherwise. */
  created_by?: number | undefined
  updated_by?: number | undefined
  created_at?: number | undefined
  updated_at?: number | undefined
  responsible_user_id?: number | undefined
}

/**
 * Writes notes and records an event for each, one statement a table, and answers them in the order given. Their parents
 * are locked, and what the drafts say was checked.
 */
export async function writeNotes(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  drafts: readonly NoteDraft[],
): Promise<NoteRow[]> {
  if (drafts.length === 0) return []
  const now = ctx.now()
  const ids = await nextIds(tx, 'notes', drafts.length)
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
      created_at: draft.created_at ?? now,
      updated_at: draft.updated_at ?? now,
      is_pinned: 0,
      is_deleted: 0,
    }),
  )
  await insertNotes(tx, rows)
  await recordEvents(ctx, tx, actor, rows.flatMap(eventOf))
  return rows
}

/** The text in which params are kept: the members that the type has, in one order. */
export function storedParams(note_type: WritableNoteType, params: object): string {
  const given = new Map(Object.entries(params).filter(([, value]) => value !== undefined))
  // A call without an id of its own is given one (N1).
  if ('uniq' in noteTypes[note_type].params.properties && !given.has('uniq')) given.set('uniq', randomUUID())
  const members =
    note_type === 'attachment' ? attachmentMembers : Object.keys(noteTypes[note_type].params.properties)
  return JSON.stringify(
    Object.fromEntries(members.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : []))),
  )
}

/** The file that is attached, by which it is found on which cards it is. */
export const fileIn = (note_type: string, params: object): string | null =>
  note_type === 'attachment' ? (params as { file_uuid: string }).file_uuid : null

/** An attachment is kept as it is read. */
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
