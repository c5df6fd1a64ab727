import type { Db } from '../db/database.ts'
import type { Access } from '../entities/entities.ts'
import type { Visibility } from '../events/events.ts'
import { idsOfHolders } from './queries.ts'
import { peopleSeen } from './task-rights.ts'

/**
 * The ids of the tasks that the actor can see, including deleted ones; null if there are more than `most`. `records` says
 * which records the actor can see: tasks are visible with their records, so they are few only if the records are.
 */
export async function fewTasks(
  db: Db,
  access: Access,
  records: readonly Visibility[],
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
