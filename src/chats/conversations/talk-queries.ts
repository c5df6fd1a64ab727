import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { insertRows, updateRows } from '../../db/row-sets.ts'
import type { TalkRow } from '../../db/tables.ts'
import { isLiveRecord } from '../../entities/entities.ts'
import { conversationIdsOf } from './conversation-queries.ts'

/** Index: the primary key. */
export function findTalk(db: Db, account_id: number, id: number): Promise<TalkRow | undefined> {
  return db
    .selectFrom('talks')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** By the primary key. */
export function latestTalk(db: Db, account_id: number): Promise<TalkRow | undefined> {
  const talks = db.selectFrom('talks').selectAll().where('account_id', '=', account_id)
  return talks.orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** The position of the last message before the next talk of the conversation; null for the latest talk. */
export async function endOfTalk(
  db: Db,
  { account_id, conversation_id, id }: TalkRow,
): Promise<number | null> {
  const row = await db
    .selectFrom('talks')
    .select('position')
    .where('account_id', '=', account_id)
    .where('conversation_id', '=', conversation_id)
    .where('id', '>', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.position ?? null
}

/**
 * Talks are read from the newest on. Indexes: talks_open or the primary key; a filter by contact or lead selects so few
 * rows that they are sorted.
 */
export interface TalkWalk {
  account_id: number
  ids: number[] | null
  contact_ids: number[] | null
  /** Only talks of live leads that meet the condition. */
  lead_ids: number[] | null
  lead_seen: Expression<SqlBool> | null
  is_open: boolean
  /** The records of a user who sees few. */
  among: { leads: number[]; contacts: number[] } | null
  /** The id before which the rows begin. */
  before: number | null
}

/** The next talks of a walk. */
export function stretchOfTalks(
  db: Db,
  walk: TalkWalk,
  { limit, offset = 0 }: { limit: number; offset?: number },
): RawBuilder<TalkRow> {
  const { account_id, ids, contact_ids, lead_ids, lead_seen, is_open, among, before } = walk
  const column = (name: keyof TalkRow) => sql.ref(`talks.${name}`)
  // A plus keeps planners from reading all talks in the order of ids to find the few.
  const areFew = contact_ids !== null || lead_ids !== null || among !== null
  const [id, closed_at] = areFew
    ? [sql`+talks.id`, sql`+talks.closed_at`]
    : [sql`talks.id`, sql`talks.closed_at`]
  const conditions: Expression<SqlBool>[] = [
    sql<SqlBool>`talks.account_id = ${account_id}`,
    ...(before === null ? [] : [sql<SqlBool>`${id} < ${before}`]),
    ...(ids ? [isOneOf(db, column('id'), ids)] : []),
    ...(contact_ids ? [isOneOf(db, column('contact_id'), contact_ids)] : []),
    ...(lead_ids
      ? [isOneOf(db, column('lead_id'), lead_ids), isLiveRecord(db, account_id, 'leads', 'talks.lead_id')]
      : []),
    ...(lead_ids && lead_seen ? [lead_seen] : []),
    ...(is_open ? [sql<SqlBool>`${closed_at} is null`] : []),
    ...(among ? [sql<SqlBool>`talks.conversation_id in ${conversationIdsOf(db, account_id, among)}`] : []),
  ]
  return sql`select talks.* from talks where ${sql.join(conditions, sql` and `)}
    order by ${id} desc limit ${limit} offset ${offset}`
}

/** Of the next `window` talks of a walk the first whose conversation fulfils a condition. */
export function seenTalks(
  db: Db,
  walk: TalkWalk,
  seen: Expression<SqlBool>,
  window: number,
  limit: number,
): RawBuilder<TalkRow> {
  return sql`select talks.* from (${stretchOfTalks(db, walk, { limit: window })}) as talks
    join conversations on conversations.account_id = ${walk.account_id} and conversations.id = talks.conversation_id
    where ${seen} order by talks.id desc limit ${limit}`
}

export const insertTalk = (tx: Tx, row: TalkRow): Promise<void> => insertRows(tx, 'talks', [row])

export const updateTalk = (
  tx: Tx,
  row: Pick<TalkRow, 'account_id' | 'id'> & Partial<TalkRow>,
): Promise<void> => updateRows(tx, 'talks', ['account_id', 'id'], [row])
