import type { Tx } from '../db/database.ts'
import { writeClosestTasks } from './queries.ts'

/** Keeps `closest_task_at` true after the tasks of these records changed; null where no task is open. */
export async function setClosestTasks(
  tx: Tx,
  account_id: number,
  closest: { entity_type: string; entity_id: number; at: number | null }[],
): Promise<void> {
  await writeClosestTasks(
    tx,
    closest.map(({ entity_type, entity_id, at }) => ({
      account_id,
      entity_type,
      id: entity_id,
      closest_task_at: at,
    })),
  )
}
