import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import { insertMissingRows, replaceRows } from '../db/row-sets.ts'
import type { VisitorRow, VisitRow } from '../db/tables.ts'
import { isInTrash } from '../entities/entities.ts'

/** Known visitors stay bound to their records. */
export const insertVisitors = (tx: Tx, rows: VisitorRow[]): Promise<void> =>
  insertMissingRows(tx, 'visitors', rows)

export const replaceVisitors = (tx: Tx, rows: VisitorRow[]): Promise<void> =>
  replaceRows(tx, 'visitors', ['account_id', 'visitor_uid'], rows)

/** The visitors among these whose record is in the trash without having been merged. */
export async function visitorsOfTrashed(
  db: Db,
  account_id: number,
  visitor_uids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('visitors')
    .select('visitors.visitor_uid')
    .where('visitors.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('visitors.visitor_uid'), visitor_uids))
    .where(isInTrash(db, account_id, 'visitors.entity_type', 'visitors.entity_id'))
    .execute()
  return rows.map(({ visitor_uid }) => visitor_uid)
}

type VisitorKey = Pick<VisitorRow, 'account_id' | 'visitor_uid'>
type VisitKey = Pick<VisitRow, 'account_id' | 'visitor_uid' | 'url'>

const visitor = prepared((db, at: VisitorKey) =>
  db
    .selectFrom('visitors')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('visitor_uid', '=', at.visitor_uid),
)

export async function findVisitor(db: Db, key: VisitorKey): Promise<VisitorRow | undefined> {
  const [row] = await visitor(db, key)
  return row
}

const visit = prepared((db, at: VisitKey) =>
  db
    .selectFrom('visits')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('visitor_uid', '=', at.visitor_uid)
    .where('url', '=', at.url),
)

/** The last recorded visit of the visitor to the page. */
export async function findVisit(db: Db, { account_id, visitor_uid, url }: VisitKey) {
  const [row] = await visit(db, { account_id, visitor_uid, url })
  return row
}

export const replaceVisit = (tx: Tx, row: VisitRow): Promise<void> =>
  replaceRows(tx, 'visits', ['account_id', 'visitor_uid', 'url'], [row])

/** For all accounts, by visits_by_age. */
export async function deleteOldVisits(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('visits').where('at', '<=', before).execute()
}

/** Forgets the visitors of records that are being deleted; by visitors_by_record. Their visits end by themselves. */
export async function removeVisitorsOf(
  tx: Tx,
  account_id: number,
  entity_type: string,
  entity_ids: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('visitors')
    .where('account_id', '=', account_id)
    .where('entity_type', '=', entity_type)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), entity_ids))
    .execute()
}
