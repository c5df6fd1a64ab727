import { recordAudit } from '../accounts/accounts.ts'
import type { AuditAction } from '../accounts/audit-types.ts'
import type { Context } from '../context.ts'
import type { IntegrationRow } from '../db/tables.ts'
import { revokeGrant } from './token-queries.ts'

/** Revokes every token of one consent, with one entry in the audit log. */
export async function endFamily(
  ctx: Context,
  asking: { integration: IntegrationRow; address: string; request_id: string },
  { grant_id, account_id }: { grant_id: string; account_id: number },
  action: AuditAction,
): Promise<void> {
  const { integration, address, request_id } = asking
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await revokeGrant(tx, grant_id, ctx.now(), action))) return
    await recordAudit(ctx, tx, {
      account_id,
      user_id: 0,
      integration_id: integration.id,
      action,
      details: { revoked: true },
      address,
      request_id,
    })
  })
}
