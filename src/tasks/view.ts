import {
  type Actor,
  type FindActing,
  findMembers,
  type MemberOfAccount,
  type ShowActing,
  withoutActing,
} from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import { furtherText, quotedText } from '../http/bodies/json-text.ts'
import type { ShownTask } from './queries.ts'
import type { Task } from './schemas.ts'

/** A task, and whether its record is visible: 1 or 0, or undefined if the actor can see all records. */
export type SeenTask = ShownTask & { is_parent_seen?: number }

export interface Showing {
  /** The address of the surface, without a trailing slash. */
  base: string
  /** Finds the integrations that acted, if they are shown. */
  acting?: FindActing
}

/** Tasks as the API returns them, with the current groups of people (R13). */
export async function showTasks(db: Db, actor: Actor, rows: SeenTask[], showing: Showing): Promise<Task[]> {
  return (await taskTexts(db, actor, rows, showing)).map((text) => JSON.parse(text))
}

/** The same tasks as JSON texts. */
export async function taskTexts(
  db: Db,
  { account_id }: Actor,
  rows: SeenTask[],
  { base, acting = withoutActing }: Showing,
): Promise<string[]> {
  if (rows.length === 0) return []
  const [members, ofRow] = await Promise.all([findMembers(db, account_id), acting(rows)])
  const ending = `"account_id":${account_id},"_links":{"self":{"href":"${quotedText(`${base}/tasks/`)}`
  return rows.map((row) => taskText(row, members, ending, ofRow))
}

/**
 * A task as JSON text, joined from the columns of its row, with the members that are always there first. `ending` is the text
 * from the account to its id in the link.
 */
function taskText(
  row: SeenTask,
  members: ReadonlyMap<number, MemberOfAccount>,
  ending: string,
  acting: ShowActing,
): string {
  const { id, responsible_user_id } = row
  const isSeen = row.is_parent_seen !== 0
  const group_id = members.get(responsible_user_id)?.group_id ?? 0
  const entity_type = isSeen && row.entity_type !== null ? `"${row.entity_type}"` : 'null'
  const result = row.result === null ? '[]' : `{"text":${JSON.stringify(row.result)}}`
  return `{"id":${id},"created_by":${row.created_by},"updated_by":${row.updated_by},"created_at":${row.created_at},"updated_at":${row.updated_at},"responsible_user_id":${responsible_user_id},"group_id":${group_id},"entity_id":${isSeen ? row.entity_id : null},"entity_type":${entity_type},"duration":${row.duration},"is_completed":${row.is_completed === 1},"task_type_id":${row.task_type_id},"text":${JSON.stringify(row.text)},"result":${result},"complete_till":${row.complete_till},${ending}${id}"}}${furtherText(acting(row))}}`
}
