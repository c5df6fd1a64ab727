import { type Actor, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { type FieldHooks, type Home, readField } from './field-changes.ts'
import { countHolders } from './value-queries.ts'

/** How many records hold a value in the field, those in the trash too: what is gone for good when it is deleted. */
export async function usageOf(
  ctx: Context,
  around: FieldHooks,
  actor: Actor,
  home: Home,
  id: number,
): Promise<number> {
  requireAdmin(actor)
  const field = await readField(ctx, around, actor, home, id)
  return countHolders(ctx.db, actor.account_id, field.id)
}
