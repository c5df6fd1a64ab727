import { monotonicFactory } from 'ulid'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { invalid } from '../errors.ts'
import { type Actor, requireAdmin } from './actor.ts'
import { insertAudit, listAuditRows } from './queries.ts'
import type { AuditPage } from './schemas.ts'

const nextUlid = monotonicFactory()

export interface AuditDraft {
  account_id: number
  /** 0 when no person acted. */
  user_id: number
  integration_id?: string
  channel_id?: string
  /** `subject.verb`, for example `integration.secret_shown`. */
  action: string
  details?: Record<string, unknown>
  address?: string | null
  request_id: string
}

/** Writes rows of the account's audit log in the transaction of what they tell. Never give it a secret. */
export async function recordAudit(ctx: Context, tx: Tx, ...drafts: AuditDraft[]): Promise<void> {
  const rows = drafts.map((draft) => ({
    account_id: draft.account_id,
    id: nextUlid(ctx.clock()).toLowerCase(),
    at: ctx.now(),
    user_id: draft.user_id,
    integration_id: draft.integration_id ?? null,
    channel_id: draft.channel_id ?? null,
    action: draft.action,
    details: JSON.stringify(draft.details ?? {}),
    address: draft.address ?? null,
    request_id: draft.request_id,
  }))
  await insertAudit(tx, rows)
}

/** The same for what an actor did: one row for each of the details. */
export function auditAs(
  ctx: Context,
  tx: Tx,
  { account_id, user_id, address, request_id, integration }: Actor,
  action: string,
  ...details: Record<string, unknown>[]
): Promise<void> {
  const draft = { account_id, user_id, address, request_id, integration_id: integration?.id, action }
  return recordAudit(ctx, tx, ...details.map((one) => ({ ...draft, details: one })))
}

const PAGE = 50

/** A page of the account's audit log, newest first, for administrators; `before` is the `next` of the page before. */
export async function listAudit(
  ctx: Context,
  actor: Actor,
  asked: { integration_id?: string; channel_id?: string; before?: string } = {},
): Promise<AuditPage> {
  requireAdmin(actor)
  if (asked.before !== undefined && !/^[0-9a-z]{26}$/.test(asked.before))
    throw invalid('before', 'InvalidFormat', 'This value is not the id of an entry.')
  const rows = await listAuditRows(ctx.db, actor.account_id, { ...asked, limit: PAGE + 1 })
  const page = rows.slice(0, PAGE)
  const entries = page.map(
    ({ id, at, user_id, user_name, integration_id, action, details, address, request_id }) => ({
      id,
      at,
      user: user_name === null ? null : { id: user_id, name: user_name },
      integration_id,
      action,
      details: JSON.parse(details),
      address,
      request_id,
    }),
  )
  return { entries, next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null }
}
