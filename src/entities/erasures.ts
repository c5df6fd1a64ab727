import type { Context } from '../context.ts'
import { eraseTags } from './tag-erasures.ts'
import { eraseValues } from './value-erasures.ts'

/** Takes deleted fields, choices and tags from the records that have them; a periodic task. */
export async function eraseDeleted(ctx: Context): Promise<void> {
  await eraseValues(ctx)
  await eraseTags(ctx)
}
