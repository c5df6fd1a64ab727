import { type Actor, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { IntegrationRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { findClient } from './queries.ts'

/**
 * An integration of the actor's account, which is its developer account. Any administrator of the account can manage
 * it. Others get Refusal('not_found').
 */
export async function ownIntegration(ctx: Context, actor: Actor, id: string): Promise<IntegrationRow> {
  requireAdmin(actor)
  const integration = await findClient(ctx.db, id)
  if (!integration || integration.account_id !== actor.account_id)
    throw new Refusal('not_found', 'Integration not found in this account.')
  return integration
}
