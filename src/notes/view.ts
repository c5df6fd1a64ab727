import type { FindActing, MemberOfAccount, ShowActing } from '../accounts/accounts.ts'
import type { NoteRow } from '../db/tables.ts'
import { self } from '../http/hal.ts'
import type { Note } from './schemas.ts'

export interface Showing {
  /** The address of the surface, without a trailing slash. */
  base: string
  /** `with=is_pinned`. */
  withPinned: boolean
  /** Finds the integrations that acted, if they are shown. */
  acting?: FindActing
}

/** The link of a note always contains its record, for every address of the request (N4). */
export const linkOf = (base: string, { entity_type, entity_id, id }: NoteRow) =>
  self(`${base}/${entity_type}/${entity_id}/notes/${id}`)

export const view = (
  row: NoteRow,
  members: ReadonlyMap<number, MemberOfAccount>,
  { base, withPinned }: Showing,
  acting: ShowActing,
): Note => ({
  id: row.id,
  entity_id: row.entity_id,
  created_by: row.created_by,
  updated_by: row.updated_by,
  ...acting(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
  responsible_user_id: row.responsible_user_id,
  group_id: members.get(row.responsible_user_id)?.group_id ?? 0,
  note_type: row.note_type,
  params: JSON.parse(row.params),
  account_id: row.account_id,
  ...(withPinned && { is_pinned: row.is_pinned === 1 }),
  _links: linkOf(base, row),
})
