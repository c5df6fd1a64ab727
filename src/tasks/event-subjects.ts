import type { Db } from '../db/database.ts'
import {
  type Access,
  loadAccess,
  recordNames,
  recordVisibilities,
  seesAllRecords,
} from '../entities/entities.ts'
import type { Limit, Subjects, Visibility } from '../events/events.ts'
import { fewTasks } from './few-tasks.ts'
import { isTaskWith } from './queries.ts'
import { limitedTask, seesAllTasks } from './task-rights.ts'

/** The visibility and the names of records and tasks, for readers of the log. */
export const eventSubjects: Subjects = {
  async visibilities(db, actor) {
    const access = await loadAccess(db, actor)
    const isLimited = !seesAllTasks(access)
    if (!isLimited && seesAllRecords(access)) return null
    const records = await recordVisibilities(db, access)
    return [...records, { entity_type: 'task', limit: isLimited ? limitOfTasks(db, access, records) : null }]
  },
  names: recordNames,
}

const limitOfTasks = (db: Db, access: Access, records: readonly Visibility[]): Limit => ({
  // Built only where it is needed: it is the largest condition of a reader.
  covers: (id_column) => isTaskWith(db, access.actor.account_id, limitedTask(db, access), id_column),
  few: (most) => fewTasks(db, access, records, most),
})
