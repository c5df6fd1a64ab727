import { monotonicFactory } from 'ulid'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { invalid } from '../errors.ts'
import { type Actor, requireAdmin } from './actor.ts'
import { insertAudit, listAuditRows } from './audit-queries.ts'
import { type AuditAction, type AuditArea, type AuditDetails, auditAreas } from './audit-types.ts'
import type { AuditPage } from './schemas.ts'

let nextUlid = monotonicFactory()
let latest = 0

/**
 * Ids are monotonic within a millisecond. When the clock goes back, a new generator starts, so that ids sort like
 * `at`.
 */
function nextId(millis: number): string {
  if (millis < latest) nextUlid = monotonicFactory()
  latest = millis
  return nextUlid(millis).toLowerCase()
}

export interface AuditDraft {
  account_id: number
  /** 0 if no person acted. */
  user_id: number
  integration_id?: string
  channel_id?: string
  action: AuditAction
  details?: AuditDetails
  address?: string | null
  request_id: string
}

/** Writes audit entries in the transaction of the change that they record. Entries must not contain secrets. */
export async function recordAudit(ctx: Context, tx: Tx, ...drafts: AuditDraft[]): Promise<void> {
  const rows = drafts.map((draft) => ({
    account_id: draft.account_id,
    id: nextId(ctx.clock()),
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

/** Writes one entry by this actor for each of the details. */
export function auditAs(
  ctx: Context,
  tx: Tx,
  { account_id, user_id, address, request_id, integration }: Actor,
  action: AuditAction,
  ...details: AuditDetails[]
): Promise<void> {
  const draft = { account_id, user_id, address, request_id, integration_id: integration?.id, action }
  return recordAudit(ctx, tx, ...details.map((one) => ({ ...draft, details: one })))
}

const CAUSES = 50

/** The latest of some changes that concerned an integration or a person. */
export async function findAuditCause(
  db: Db,
  account_id: number,
  actions: readonly AuditAction[],
  about: { integration_id: string; user_id: number },
): Promise<{ at: number; request_id: string } | undefined> {
  const rows = await listAuditRows(db, account_id, { actions }, CAUSES)
  return rows.find(({ integration_id, details }) =>
    integration_id === null
      ? JSON.parse(details).id === about.user_id
      : integration_id === about.integration_id,
  )
}

/** Looks up integration names by id. The surface passes this in, because accounts are below integrations. */
export type NamesOfIntegrations = (
  ctx: Context,
  account_id: number,
  ids: string[],
) => Promise<(id: string) => string>

const PAGE = 50

/** Filters of the audit log. */
export interface AuditFilter {
  integration_id?: string | undefined
  channel_id?: string | undefined
  user_id?: number | undefined
  area?: AuditArea | undefined
  before?: string | undefined
}

/** Lists a page of the audit log, newest first, for administrators. `before` is the `next` of the previous page. */
export async function listAudit(
  ctx: Context,
  actor: Actor,
  { area, ...asked }: AuditFilter = {},
): Promise<AuditPage> {
  requireAdmin(actor)
  if (asked.before !== undefined && !/^[0-9a-z]{26}$/.test(asked.before))
    throw invalid('before', 'InvalidFormat', 'This value is not the id of an audit log entry.')
  const walk = { ...asked, actions: area && auditAreas[area] }
  const rows = await listAuditRows(ctx.db, actor.account_id, walk, PAGE + 1)
  const page = rows.slice(0, PAGE)
  const entries = page.map(
    ({ id, at, user_id, user_name, integration_id, channel_id, action, details, address, request_id }) => ({
      id,
      at,
      user: user_name === null ? null : { id: user_id, name: user_name },
      integration_id,
      channel_id,
      action,
      details: JSON.parse(details),
      address,
      request_id,
    }),
  )
  return { entries, next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null }
}
