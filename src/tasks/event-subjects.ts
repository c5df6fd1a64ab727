import type { Db } from '../db/database.ts'
import {
  type Access,
  loadAccess,
  recordNames,
  recordVisibilities,
  seesAllRecords,
} from '../entities/entities.ts'
import type { Limit, Subjects } from '../events/events.ts'
import { fewTasks } from './few-tasks.ts'
import { isTaskWith } from './queries.ts'
import { visibleTask } from './task-rights.ts'

/** The visibility and the names of records and tasks, for readers of the log. */
export const eventSubjects: Subjects = {
  async visibilities(db, actor) {
    const access = await loadAccess(db, actor)
    const limit = limitOfTasks(db, access)
    if (limit === null && seesAllRecords(access)) return null
    const records = await recordVisibilities(db, access)
    const tasks = {
      entity_type: 'task',
      limit: limit && { ...limit, few: (most: number) => fewTasks(db, access, records, most) },
    }
    return [...records, tasks]
  },
  names: recordNames,
}

function limitOfTasks(db: Db, access: Access): Pick<Limit, 'covers'> | null {
  const condition = visibleTask(db, access)
  if (condition === null) return null
  return { covers: (id_column) => isTaskWith(db, access.actor.account_id, condition, id_column) }
}
