import { recordAudit } from '../../accounts/accounts.ts'
import type { AuditAction, AuditDetails } from '../../accounts/audit/audit-types.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { Refusal } from '../../errors.ts'
import { refreshExpiry } from '../registry/lifetimes.ts'
import { type FaultKind, putFault } from '../tokens/token-fault-queries.ts'
import { alterPair, type FamilyRow, listNewestPairs, listPairs } from '../tokens/token-history-queries.ts'
import { revokeGrant } from '../tokens/token-queries.ts'
import { familyOf } from './families.ts'
import type { Ageing, Expiry } from './schemas.ts'

/** Changes that tests and developers make to tokens. Each of these is recorded in the audit log (Q15). */

/** The account and the caller; `user_id` is 0 for the test helpers. */
export interface Altering {
  account_id: number
  user_id: number
  address: string
  request_id: string
}

const DAY = 86_400

/** Lets one token of a pair expire now. A token that has expired stays so. */
export async function expireToken(
  ctx: Context,
  by: Altering,
  grant_id: string,
  { token, generation }: Expiry,
): Promise<void> {
  await change(ctx, by, grant_id, async (tx, family) => {
    const pair = await pairOf(tx, family, generation)
    const now = ctx.now()
    const isAccess = token === 'access_token'
    if (!isAccess && pair.refresh_expires_at === null)
      throw new Refusal('conflict', 'A long-lived token has no refresh token.')
    const expires_at = isAccess ? pair.access_expires_at : (pair.refresh_expires_at as number)
    if (expires_at <= now) return
    const changes = isAccess ? { access_expires_at: now } : { refresh_expires_at: now }
    await alter(tx, by, family, pair, changes)
    await audit(ctx, tx, by, family, 'tokens.expired', { changed: [token] })
  })
}

/** Makes a pair older, as if it had been issued a day or three months before. */
export async function agePair(
  ctx: Context,
  by: Altering,
  grant_id: string,
  { by: span, generation }: Ageing,
): Promise<void> {
  await change(ctx, by, grant_id, async (tx, family) => {
    const pair = await pairOf(tx, family, generation)
    const { issued_at, access_expires_at, refresh_expires_at } = pair
    const seconds = span === 'day' ? DAY : refreshExpiry(issued_at) - issued_at
    await alter(tx, by, family, pair, {
      issued_at: issued_at - seconds,
      access_expires_at: access_expires_at - seconds,
      refresh_expires_at: refresh_expires_at === null ? null : refresh_expires_at - seconds,
    })
    await audit(ctx, tx, by, family, 'tokens.aged', { days: Math.round(seconds / DAY) })
  })
}

/** Revokes all tokens of a consent. */
export async function revokeFamily(ctx: Context, by: Altering, grant_id: string): Promise<void> {
  await change(ctx, by, grant_id, async (tx, family) => {
    const { user_id, request_id } = by
    const why = user_id === 0 ? 'revoked by the test helpers' : 'revoked by an administrator'
    const revocation = { why, at: ctx.now(), by: user_id, request_id } as const
    if (await revokeGrant(tx, by.account_id, grant_id, revocation))
      await audit(ctx, tx, by, family, 'tokens.revoked', {})
  })
}

/** Prepares what happens to the next refreshes of a consent: see token-faults.ts. */
export async function armFault(
  ctx: Context,
  by: Altering,
  grant_id: string,
  { kind, timeout }: { kind: FaultKind; timeout: number },
): Promise<void> {
  await change(ctx, by, grant_id, async (tx, family) => {
    if (family.long_lived !== null) throw new Refusal('conflict', 'A long-lived token cannot be refreshed.')
    const { account_id } = by
    await putFault(tx, { account_id, grant_id, kind, expires_at: ctx.now() + timeout, arrived: 0 })
    await audit(ctx, tx, by, family, 'tokens.fault_armed', { reason: kind })
  })
}

/** Changes a family of the account that is live. */
async function change(
  ctx: Context,
  { account_id }: Altering,
  grant_id: string,
  apply: (tx: Tx, family: FamilyRow) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const family = await familyOf(tx, account_id, grant_id)
    if (!family.is_live) throw new Refusal('conflict', 'The tokens of this consent have ended.')
    await apply(tx, family)
  })
}

async function pairOf(tx: Tx, { account_id, id: grant_id }: FamilyRow, generation: number | undefined) {
  const [pair] =
    generation === undefined
      ? await listNewestPairs(tx, account_id, [grant_id])
      : await listPairs(tx, { account_id, grant_id, before: generation + 1 }, 1)
  if (!pair || (generation !== undefined && pair.generation !== generation))
    throw new Refusal('not_found', 'The consent has no pair with this number.')
  return pair
}

const alter = (
  tx: Tx,
  { account_id, request_id }: Altering,
  { id: grant_id }: FamilyRow,
  { generation }: { generation: number },
  changes: Omit<Parameters<typeof alterPair>[2], 'altered_request_id'>,
): Promise<void> =>
  alterPair(tx, { account_id, grant_id, generation }, { ...changes, altered_request_id: request_id })

function audit(
  ctx: Context,
  tx: Tx,
  { account_id, user_id, address, request_id }: Altering,
  { integration_id }: FamilyRow,
  action: AuditAction,
  details: AuditDetails,
): Promise<void> {
  return recordAudit(ctx, tx, { account_id, user_id, integration_id, action, details, address, request_id })
}
