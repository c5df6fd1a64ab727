import { type Actor, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { IntegrationRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { findClient } from './queries.ts'

/**
 * An integration of the actor's own account, which is the developer account: any administrator of it manages the
 * integration, and nobody else learns that it exists.
 */
export async function ownIntegration(ctx: Context, actor: Actor, id: string): Promise<IntegrationRow> {
  requireAdmin(actor)
  const integration = await findClient(ctx.db, id)
  if (!integration || integration.account_id !== actor.account_id)
    throw new Refusal('not_found', 'There is no such integration in this account.')
  return integration
}
