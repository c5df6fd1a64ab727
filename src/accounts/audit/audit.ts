import { encodeTime, monotonicFactory } from 'ulid'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { CausedIn } from '../../db/ids-by-time.ts'
import type { AuditRow } from '../../db/tables.ts'
import { invalid } from '../../errors.ts'
import { type Actor, actingIntegration, requireAdmin } from '../members/actor.ts'
import type { AuditPage } from '../members/schemas.ts'
import { auditCausedBetween, insertAudit, listAuditRows } from './audit-queries.ts'
import { type AuditAction, type AuditArea, type AuditDetails, auditAreas } from './audit-types.ts'

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
  /** The number of the integration that acted. */
  by_integration?: number | null
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
    by_integration: draft.by_integration ?? null,
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
  actor: Actor,
  action: AuditAction,
  ...details: AuditDetails[]
): Promise<void> {
  const { account_id, user_id, address, request_id, integration } = actor
  const by_integration = actingIntegration(actor)
  const about = { integration_id: integration?.id, by_integration, action }
  const draft = { account_id, user_id, address, request_id, ...about }
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

/** The audit entries of some causes in a part of time. Ids begin with their time. */
export function auditCausedIn(
  db: Db,
  { account_id, names, from, to }: CausedIn,
  limit: number,
): Promise<AuditRow[]> {
  const at = (time: number) => encodeTime(Math.max(0, time), 10).toLowerCase()
  return auditCausedBetween(db, account_id, names, { start: at(from), end: at(to + 1) }, limit)
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
  /** The number of the integration that acted. */
  by_integration?: number | undefined
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
  const numbers = page.map(({ by_integration }) => by_integration)
  const acting = await ctx.actingIntegrations.find(ctx, actor.account_id, numbers)
  const entries = page.map((row) => ({
    id: row.id,
    at: row.at,
    user: row.user_name === null ? null : { id: row.user_id, name: row.user_name },
    integration_id: row.integration_id,
    by_integration: acting.get(row.by_integration ?? 0) ?? null,
    channel_id: row.channel_id,
    action: row.action,
    details: JSON.parse(row.details),
    address: row.address,
    request_id: row.request_id,
  }))
  return { entries, next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null }
}
