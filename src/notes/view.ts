import type { FindActing, MemberOfAccount, ShowActing } from '../accounts/accounts.ts'
import type { NoteRow } from '../db/tables.ts'
import { furtherText } from '../http/bodies/json-text.ts'
import { self } from '../http/hal.ts'

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

/**
 * A note as JSON text, joined from the columns of its row, with the members that are always there first. The params are
 * stored as they are sent.
 */
export function noteText(
  row: NoteRow,
  members: ReadonlyMap<number, MemberOfAccount>,
  { base, withPinned }: Omit<Showing, 'acting'>,
  acting: ShowActing,
): string {
  const { id, entity_type, entity_id, responsible_user_id } = row
  const group_id = members.get(responsible_user_id)?.group_id ?? 0
  const further = { ...acting(row), ...(withPinned && { is_pinned: row.is_pinned === 1 }) }
  return `{"id":${id},"entity_id":${entity_id},"created_by":${row.created_by},"updated_by":${row.updated_by},"created_at":${row.created_at},"updated_at":${row.updated_at},"responsible_user_id":${responsible_user_id},"group_id":${group_id},"note_type":"${row.note_type}","params":${row.params},"account_id":${row.account_id},"_links":{"self":{"href":"${base}/${entity_type}/${entity_id}/notes/${id}"}}${furtherText(further)}}`
}
