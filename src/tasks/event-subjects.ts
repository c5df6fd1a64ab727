import type { Db } from '../db/database.ts'
import {
  type Access,
  loadAccess,
  recordNames,
  recordVisibilities,
  seesAllRecords,
} from '../entities/entities.ts'
import type { Limit, Subjects, Visibility } from '../events/events.ts'
import { idsOfHolders, isTaskWith } from './queries.ts'
import { peopleSeen, visibleTask } from './task-rights.ts'

/** Answers the questions of the log about records and tasks. */
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

/** Tasks are visible with their records, so they are few only if the records are. */
async function fewTasks(
  db: Db,
  access: Access,
  records: Visibility[],
  most: number,
): Promise<number[] | null> {
  const parents: number[] = []
  for (const { entity_type, limit } of records) {
    // Elements have no tasks.
    if (entity_type.startsWith('catalog_')) continue
    const ids = limit ? await limit.few(most) : null
    if (ids === null) return null
    parents.push(...ids)
  }
  const { account_id, user_id } = access.actor
  return idsOfHolders(
    db,
    account_id,
    { people: peopleSeen(access), author: user_id, entity_ids: parents },
    most,
  )
}
