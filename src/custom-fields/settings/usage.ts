import { type Actor, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { countHolders } from '../values/value-queries.ts'
import { type FieldCollection, type FieldHooks, readField } from './field-changes.ts'

/**
 * Counts the records with a value in the field, including those in the trash: deleting the field deletes these
 * values.
 */
export async function usageOf(
  ctx: Context,
  hooks: FieldHooks,
  actor: Actor,
  collection: FieldCollection,
  id: number,
): Promise<number> {
  requireAdmin(actor)
  const field = await readField(ctx, hooks, actor, collection, id)
  return countHolders(ctx.db, actor.account_id, field.id)
}
