import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import type { TaskRow } from '../db/tables.ts'
import {
  type Access,
  insufficientRights,
  notFound,
  type Place,
  seesAll,
  visibleRecord,
} from '../entities/entities.ts'
import { type Fault, noSuch, Refusal } from '../errors.ts'
import { parentTypes } from './schemas.ts'

/** A task in a request, and the name of its item. */
export interface NamedTask {
  id: number
  request_id: string
}

/** Whether a right on tasks has at least this width (A10), by responsible user. */
function mayDoTask(
  { actor, peers }: Access,
  right: 'edit' | 'delete',
  { responsible_user_id }: Pick<TaskRow, 'responsible_user_id'>,
): boolean {
  const width = actor.is_admin ? 'A' : actor.rights.tasks[right]
  if (width === 'G') return peers.has(responsible_user_id)
  if (width === 'M') return responsible_user_id === actor.user_id
  return width === 'A'
}

/** Whether the actor can see all tasks. Then a missing one is not a secret. */
export const seesAllTasks = ({ actor }: Access): boolean => actor.is_admin || actor.rights.tasks.edit === 'A'

/**
 * The condition on rows of `tasks` that the actor can see; null if they can see all. A task is visible to the
 * responsible user, to people who can edit it, and to people who can see its record; a task without a record to its
 * author. The list and single tasks use the same condition.
 */
export const visibleTask = (db: Db, access: Access): Expression<SqlBool> | null =>
  seesAllTasks(access) ? null : limitedTask(db, access)

/** The same condition for an actor who cannot see all tasks. */
export const limitedTask = (db: Db, access: Access): Expression<SqlBool> =>
  sql<SqlBool>`(${isOneOf(db, sql.ref('tasks.responsible_user_id'), peopleSeen(access))}
    or (tasks.entity_id is null and tasks.created_by = ${access.actor.user_id})
    or ${visibleParent(db, access)})`

/** The users whose tasks are visible regardless of the record. */
export const peopleSeen = ({ actor, peers }: Access): number[] =>
  actor.rights.tasks.edit === 'G' ? [...new Set([actor.user_id, ...peers])] : [actor.user_id]

/**
 * Whether the actor can see a task's record. If not, the task is shown without it: responsibility for a task gives no
 * access to the record.
 */
export const visibleParent = (db: Db, access: Access): Expression<SqlBool> =>
  visibleRecord(db, access, 'tasks.entity_type', 'tasks.entity_id')

/** Whether the actor can see all records that can have tasks. */
export const seesAllParents = (access: Access): boolean => parentTypes.every((type) => seesAll(access, type))

/** The rule for all writes of tasks (R6), like requireRecords for records. */
export function requireTasks(
  access: Access,
  right: 'edit' | 'delete',
  named: readonly NamedTask[],
  found: ReadonlyMap<number, TaskRow>,
  place: Place,
): TaskRow[] {
  const faults: Fault[] = []
  const rows = named.flatMap(({ id, request_id }) => {
    const row = found.get(id)
    if (row && mayDoTask(access, right, row)) return [row]
    if (row || !seesAllTasks(access)) throw insufficientRights()
    if (place === 'path') throw notFound()
    faults.push({ request_id, code: 'NotSupportedChoice', path: 'id', detail: noSuch('task') })
    return []
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  return rows
}
