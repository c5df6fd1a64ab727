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

/** A task that a request names, and what the request calls it. */
export interface NamedTask {
  id: number
  request_id: string
}

/** Whether a right on tasks is as wide as this one (A10): it goes by who is responsible. */
export function mayDoTask(
  { actor, peers }: Access,
  right: 'edit' | 'delete',
  { responsible_user_id }: Pick<TaskRow, 'responsible_user_id'>,
): boolean {
  const width = actor.is_admin ? 'A' : actor.rights.tasks[right]
  if (width === 'G') return peers.has(responsible_user_id)
  if (width === 'M') return responsible_user_id === actor.user_id
  return width === 'A'
}

/** Whether no task is hidden from him: then the absence of one is no secret. */
export const seesAllTasks = ({ actor }: Access): boolean => actor.is_admin || actor.rights.tasks.edit === 'A'

/**
 * The condition on rows of `tasks` that the actor may see; null when he sees all of them. Whoever is responsible sees a
 * task, and who may change it, and who may see the record that it is about; one about nothing, its author. The list and
 * the look at one task both ask this.
 */
export function visibleTask(db: Db, access: Access): Expression<SqlBool> | null {
  if (seesAllTasks(access)) return null
  return sql<SqlBool>`(${isOneOf(db, sql.ref('tasks.responsible_user_id'), peopleSeen(access))}
    or (tasks.entity_id is null and tasks.created_by = ${access.actor.user_id})
    or ${visibleParent(db, access)})`
}

/** Those whose tasks he sees whatever they are about. */
export const peopleSeen = ({ actor, peers }: Access): number[] =>
  actor.rights.tasks.edit === 'G' ? [...new Set([actor.user_id, ...peers])] : [actor.user_id]

/**
 * Whether the actor may see the record that a task is about. Where he may not, the task is shown to him as one about
 * nothing: whose task it is does not open the record.
 */
export const visibleParent = (db: Db, access: Access): Expression<SqlBool> =>
  visibleRecord(db, access, 'tasks.entity_type', 'tasks.entity_id')

/** Whether no record that has tasks is hidden from him. */
export const seesAllParents = (access: Access): boolean => parentTypes.every((type) => seesAll(access, type))

/** The rule for every write that names tasks (R6), as requireRecords has it for records. */
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
