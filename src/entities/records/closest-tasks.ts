import type { Tx } from '../../db/database.ts'
import { writeClosestTasks } from './queries.ts'

/** Updates `closest_task_at` after tasks of these records changed; null means no open task. */
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
