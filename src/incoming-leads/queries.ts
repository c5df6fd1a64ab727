import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { insertRows, updateRows } from '../db/row-sets.ts'
import type { IncomingLeadRow } from '../db/tables.ts'
import type { Position } from '../http/queries/paging.ts'
import type { Range } from '../http/queries/query-values.ts'

export const insertIncoming = (tx: Tx, rows: readonly IncomingLeadRow[]): Promise<void> =>
  insertRows(tx, 'incoming_leads', rows)

type Change = Pick<IncomingLeadRow, 'account_id' | 'uid'> & Partial<IncomingLeadRow>

export const updateIncoming = (tx: Tx, rows: readonly Change[]): Promise<void> =>
  updateRows(tx, 'incoming_leads', ['account_id', 'uid'], rows)

/** A literal, because some indexes are of waiting ones only. */
const waiting = (db: Db, account_id: number) =>
  db
    .selectFrom('incoming_leads')
    .selectAll('incoming_leads')
    .where('incoming_leads.account_id', '=', account_id)
    .where('incoming_leads.state', '=', sql.lit('waiting'))

export const findWaiting = (db: Db, account_id: number, uid: string): Promise<IncomingLeadRow | undefined> =>
  waiting(db, account_id).where('uid', '=', uid).executeTakeFirst()

/** The waiting ones among these, in the order in which they were added. */
export const findWaitingAmong = (
  db: Db,
  account_id: number,
  uids: readonly string[],
): Promise<IncomingLeadRow[]> =>
  waiting(db, account_id)
    .where((eb) => isOneOf(db, eb.ref('uid'), uids))
    .orderBy('lead_id')
    .execute()

/** The waiting ones of these leads. By the unique index of the lead. */
export const findWaitingOf = (
  db: Db,
  account_id: number,
  lead_ids: readonly number[],
): Promise<IncomingLeadRow[]> =>
  waiting(db, account_id)
    .where((eb) => isOneOf(db, eb.ref('lead_id'), lead_ids))
    .orderBy('lead_id')
    .execute()

/** The hashes of waiting ones among these. By incoming_leads_by_content. */
export async function findHashes(
  db: Db,
  account_id: number,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await waiting(db, account_id)
    .clearSelect()
    .select('content_hash')
    .where((eb) => isOneOf(db, eb.ref('content_hash'), hashes))
    .execute()
  return new Set(rows.map(({ content_hash }) => content_hash))
}

export const latestIncoming = (db: Db, account_id: number): Promise<IncomingLeadRow | undefined> =>
  waiting(db, account_id).orderBy('created_at', 'desc').orderBy('lead_id', 'desc').limit(1).executeTakeFirst()

export interface IncomingFilter {
  uid: string[]
  category: string[]
  pipeline_id: number[]
  lead_id: number[]
}

const filterable = ['uid', 'category', 'pipeline_id', 'lead_id'] as const

const conditionsOf = (db: Db, filter: Partial<IncomingFilter>): Expression<SqlBool>[] =>
  filterable.flatMap((name) => {
    const values = filter[name] ?? []
    return values.length > 0 ? [isOneOf(db, sql.ref(`incoming_leads.${name}`), values)] : []
  })

export interface IncomingOrder {
  column: 'created_at' | 'updated_at'
  direction: 'asc' | 'desc'
}

/** A page of waiting ones, by incoming_leads_by_creation or incoming_leads_by_update. */
export function selectPage(
  db: Db,
  account_id: number,
  filter: IncomingFilter,
  { column, direction }: IncomingOrder,
  { after, limit, offset }: { after: Position | null; limit: number; offset: number },
  isVisible: Expression<SqlBool> | null,
): Promise<IncomingLeadRow[]> {
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  const ordered = sql.ref<number>(`incoming_leads.${column}`)
  const beyond = after && sql<SqlBool>`(${ordered}, lead_id) ${sign} (${after.value}, ${after.id})`
  return waiting(db, account_id)
    .where((eb) =>
      eb.and([...conditionsOf(db, filter), ...(beyond ? [beyond] : []), ...(isVisible ? [isVisible] : [])]),
    )
    .orderBy(ordered, direction)
    .orderBy('lead_id', direction)
    .limit(limit)
    .$if(after === null, (query) => query.offset(offset))
    .execute()
}

/** Counts by category and state, of those that arrived or were sorted in a span of time. */
export async function countIncoming(
  db: Db,
  account_id: number,
  by: 'created_at' | 'sorted_at',
  { from, to }: Range,
  filter: Partial<IncomingFilter>,
  isVisible: Expression<SqlBool> | null,
): Promise<{ category: string; state: string; total: number; seconds: number }[]> {
  const time = sql.ref<number>(`incoming_leads.${by}`)
  const rows = await db
    .selectFrom('incoming_leads')
    .select((eb) => [
      'category',
      'state',
      eb.fn.countAll<number>().as('total'),
      sql<number | null>`sum(sorted_at - created_at)`.as('seconds'),
    ])
    .where('incoming_leads.account_id', '=', account_id)
    .where((eb) => eb.and([...conditionsOf(db, filter), ...(isVisible ? [isVisible] : [])]))
    .$if(by === 'sorted_at', (query) => query.where('sorted_at', 'is not', null))
    .$if(from !== null, (query) => query.where(sql<SqlBool>`${time} >= ${from}`))
    .$if(to !== null, (query) => query.where(sql<SqlBool>`${time} <= ${to}`))
    .groupBy(['category', 'state'])
    .execute()
  return rows.map((row) => ({ ...row, total: Number(row.total), seconds: Number(row.seconds ?? 0) }))
}

/** Deletes where leads came from that are being deleted; by the unique index of the lead. */
export async function removeIncoming(tx: Tx, account_id: number, lead_ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('incoming_leads')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('lead_id'), lead_ids))
    .execute()
}
