import { recordAudit } from '../../accounts/accounts.ts'
import type { AuditAction } from '../../accounts/audit/audit-types.ts'
import type { Context } from '../../context.ts'
import type { IntegrationRow } from '../../db/tables.ts'
import { revokeGrant } from './token-queries.ts'
import type { RevocationCause } from './token-reason-types.ts'

/** Actions of the audit log that end a family without a person. */
type EndAction = AuditAction & RevocationCause

/** Revokes every token of one consent, with one entry in the audit log. */
export async function endFamily(
  ctx: Context,
  asking: { integration: IntegrationRow; address: string; request_id: string },
  { grant_id, account_id }: { grant_id: string; account_id: number },
  action: EndAction,
): Promise<void> {
  const { integration, address, request_id } = asking
  await ctx.db.transaction().execute(async (tx) => {
    const revocation = { why: action, at: ctx.now(), by: 0, request_id }
    if (!(await revokeGrant(tx, account_id, grant_id, revocation))) return
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
