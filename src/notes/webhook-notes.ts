import { chatNames, findMembers } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import type { NoteRow } from '../db/tables.ts'
import type { Cause } from '../events/events.ts'
import type { WebhookCode } from '../webhooks/webhook-types.ts'
import {
  announce,
  dateText,
  elementTypes,
  type FormObject,
  findSubscriptions,
  type Sample,
} from '../webhooks/webhooks.ts'
import type { CallParams, StoredAttachment, WritableNoteType } from './note-types.ts'
import { type CardType, cardKinds, cardTypes } from './parents.ts'
import { selectNotes } from './queries.ts'

const codes: Record<CardType, WebhookCode> = {
  leads: 'note_lead',
  contacts: 'note_contact',
  companies: 'note_company',
  customers: 'note_customer',
}

/** Types of notes in the older API. The others are system notes. */
export const legacyNoteTypes: Partial<Record<WritableNoteType, number>> = {
  common: 4,
  attachment: 5,
  call_in: 10,
  call_out: 11,
  sms_in: 102,
  sms_out: 103,
}
const SYSTEM_NOTE = 25

/** Announces new notes in the transaction that writes them. The caller has locked their records. */
export async function announceNotes(
  ctx: Context,
  tx: Tx,
  by: Cause,
  rows: readonly NoteRow[],
): Promise<void> {
  const subscriptions = await findSubscriptions(tx, by.account_id)
  if (!subscriptions) return
  const announced = rows.filter(({ entity_type }) => subscriptions.has(codes[entity_type as CardType]))
  if (announced.length === 0) return
  const people = await peopleOf(tx, by.account_id, announced)
  const changes = announced.map((row) => ({
    codes: [codes[row.entity_type as CardType]] as const,
    record: `${row.entity_type} ${row.entity_id}`,
    item: itemOf(row, people),
  }))
  await announce(ctx, tx, by, subscriptions, changes)
}

/** The item that the latest note of a code's kind of records would announce. */
export const sampleNote: Sample = async (db, account_id, code) => {
  const type = cardTypes.find((type) => codes[type] === code) as CardType
  const latest = selectNotes(db, account_id, type).where('is_deleted', '=', 0).orderBy('id', 'desc').limit(1)
  const row = await latest.executeTakeFirst()
  if (!row) return null
  return itemOf(row, await peopleOf(db, account_id, [row]))
}

/** The names of authors, and the groups of all members. */
interface People {
  names: Awaited<ReturnType<typeof chatNames>>
  members: Awaited<ReturnType<typeof findMembers>>
}

const peopleOf = async (db: Db, account_id: number, rows: readonly NoteRow[]): Promise<People> => ({
  names: await chatNames(db, [...new Set(rows.map(({ created_by }) => created_by))]),
  members: await findMembers(db, account_id),
})

const itemOf = (row: NoteRow, people: People): FormObject => ({
  note: noteItem(row, people),
  ...((row.entity_type === 'contacts' || row.entity_type === 'companies') && {
    type: cardKinds[row.entity_type],
  }),
})

/** A note with its members in the platform's order (docs/wire/webhooks.md#notes). */
const noteItem = (row: NoteRow, { names, members }: People) => ({
  ...textAndFile(row),
  date_create: dateText(row.created_at),
  note_type: legacyNoteTypes[row.note_type as WritableNoteType] ?? SYSTEM_NOTE,
  element_type: elementTypes[row.entity_type as CardType],
  element_id: row.entity_id,
  catalog_id: 0,
  group_id: members.get(row.responsible_user_id)?.group_id ?? 0,
  timestamp_x: dateText(row.updated_at),
  account_id: row.account_id,
  metadata: JSON.stringify({
    event_source: { id: row.created_by, author_name: names.get(row.created_by)?.name ?? '', type: 1 },
  }),
  created_by: row.created_by,
  modified_by: row.updated_by,
  main_user_id: row.responsible_user_id,
  id: row.id,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** `attachement` is spelled so. */
function textAndFile({ note_type, params }: NoteRow): { text: string; attachement: string } {
  const stored = JSON.parse(params)
  if (note_type === 'attachment') {
    const { file_uuid, version_uuid, file_name } = stored as StoredAttachment
    return { text: file_name, attachement: `drive/${file_uuid}/${version_uuid}/${file_name}` }
  }
  if (note_type === 'call_in' || note_type === 'call_out') {
    const { uniq, link, phone, duration, source } = stored as CallParams
    const call = { UNIQ: uniq, LINK: link ?? '', PHONE: phone, DURATION: duration, SRC: source }
    return { text: JSON.stringify(call), attachement: '' }
  }
  return { text: stored.text ?? params, attachement: '' }
}
