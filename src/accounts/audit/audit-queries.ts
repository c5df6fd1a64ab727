import { sql } from 'kysely'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf, mergedRanges } from '../../db/dialect.ts'
import type { OldWindow } from '../../db/old-rows.ts'
import { deleteRows } from '../../db/row-sets.ts'
import type { AuditRow } from '../../db/tables.ts'
import { firstUlidAt } from '../../db/ulids.ts'
import type { AuditAction } from './audit-types.ts'

export function insertAudit(tx: Tx, rows: AuditRow[]): Promise<unknown> {
  return tx.insertInto('audit_log').values(rows).execute()
}

export interface AuditWalk {
  integration_id?: string | undefined
  /** The number of the integration that acted. */
  by_integration?: number | undefined
  channel_id?: string | undefined
  user_id?: number | undefined
  /** Any of these actions; undefined means all. */
  actions?: readonly AuditAction[] | undefined
  /** The id of the last entry of the previous page. */
  before?: string | undefined
}

/** Newest first. Uses the primary key, or the index of the filter. */
export async function listAuditRows(db: Db, account_id: number, asked: AuditWalk, limit: number) {
  const { integration_id, by_integration, channel_id, user_id, actions, before } = asked
  const isByAction = actions !== undefined && user_id === undefined && by_integration === undefined
  const ids = isByAction ? await idsOfActions(db, account_id, actions, before, limit) : null
  let rows = db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.user_id')
    .selectAll('audit_log')
    .select('users.name as user_name')
    .where('audit_log.account_id', '=', account_id)
  if (integration_id) rows = rows.where('audit_log.integration_id', '=', integration_id)
  if (by_integration !== undefined) rows = rows.where('audit_log.by_integration', '=', by_integration)
  if (channel_id) rows = rows.where('audit_log.channel_id', '=', channel_id)
  if (user_id !== undefined) rows = rows.where('audit_log.user_id', '=', user_id)
  if (ids) rows = rows.where((eb) => isOneOf(db, eb.ref('audit_log.id'), ids))
  else if (actions) rows = rows.where((eb) => isOneOf(db, eb.ref('audit_log.action'), actions))
  if (before) rows = rows.where('audit_log.id', '<', before)
  return rows.orderBy('audit_log.id', 'desc').limit(limit).execute()
}

/** The newest entry of an action about an integration; by audit_log_by_integration. */
export function findLastAudit(
  db: Db,
  account_id: number,
  integration_id: string,
  action: AuditAction,
): Promise<Pick<AuditRow, 'at' | 'user_id' | 'request_id'> | undefined> {
  return db
    .selectFrom('audit_log')
    .select(['at', 'user_id', 'request_id'])
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Each action is a range of audit_log_by_action. Merging the ranges keeps rare actions fast. */
async function idsOfActions(
  db: Db,
  account_id: number,
  actions: readonly AuditAction[],
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const ranges = actions.map(
    (action) => sql`select id from audit_log where account_id = ${account_id} and action = ${action}
      ${before ? sql`and id < ${before}` : sql``}`,
  )
  const page = mergedRanges(db, ranges, sql`id desc`, { limit, offset: 0 })
  const { rows } = await sql<{ id: string }>`${page}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Audit entries of some causes that are read. */
const MOST_READ = 10_000

/** The audit entries of some causes between two ids, the first ones first: a range of the primary key. */
export function auditCausedBetween(
  db: Db,
  account_id: number,
  names: readonly string[],
  { start, end }: { start: string; end: string },
  limit: number,
): Promise<AuditRow[]> {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_log')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('id', '>', start)
        .where('id', '<', end)
        .orderBy('id')
        .limit(MOST_READ)
        .as('between'),
    )
    .selectAll()
    .where((eb) => isOneOf(db, eb.ref('request_id'), names))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The oldest entries: a range of the primary key, because ids begin with their time. */
export function oldAuditRows(
  db: Db,
  { account_id, before, after, limit }: OldWindow,
): Promise<Pick<AuditRow, 'id' | 'at'>[]> {
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('audit_log')
      .select(['id', 'at'])
      .where('account_id', '=', account_id)
      .where('id', '<', firstUlidAt(before))
      .where('id', '>', String(after?.[0] ?? ''))
      .orderBy('id')
      .limit(limit),
  )
}

export const deleteAuditRows = (tx: Tx, account_id: number, ids: readonly string[]): Promise<void> =>
  deleteRows(
    tx,
    'audit_log',
    ids.map((id) => ({ account_id, id })),
  )
