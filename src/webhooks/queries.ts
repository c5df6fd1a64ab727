import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, isOneOf } from '../db/dialect.ts'
import { batched, prepared, referenceData } from '../db/prepared.ts'
import { replaceRows } from '../db/row-sets.ts'
import type { WebhookAnnouncementRow, WebhookOrderRow, WebhookRow } from '../db/tables.ts'

/** The enabled webhooks of an account, and its listeners. A listener has no destination. */
export const selectEnabled = referenceData((db, { account_id }: { account_id: number }) =>
  db
    .selectFrom('webhooks as w')
    .select(['w.id', 'w.destination', 'w.settings', sql<number>`0`.as('is_for_rest')])
    .where('w.account_id', '=', account_id)
    .where('w.is_disabled', '=', 0)
    .unionAll(
      db
        .selectFrom('webhook_listeners as l')
        .select(['l.id', sql<string>`''`.as('destination'), 'l.codes as settings', 'l.is_for_rest'])
        .where('l.account_id', '=', account_id),
    )
    .orderBy('id'),
)

/** The address of a webhook. */
export const selectDestination = prepared((db, at: { account_id: number; id: number }) =>
  db
    .selectFrom('webhooks as w')
    .select(['w.id', 'w.destination', 'w.is_disabled', 'w.signing_secret'])
    .where('w.account_id', '=', at.account_id)
    .where('w.id', '=', at.id),
)

/** An enabled webhook or a listener of an account, to look up whether changes have to be announced. */
export const anyWebhook = (db: Db, account_id: number) =>
  db
    .selectFrom(
      db
        .selectFrom('webhooks')
        .select('webhooks.id')
        .where('webhooks.account_id', '=', account_id)
        .where('webhooks.is_disabled', '=', 0)
        .unionAll(
          db
            .selectFrom('webhook_listeners')
            .select('webhook_listeners.id')
            .where('webhook_listeners.account_id', '=', account_id),
        )
        .as('subscription'),
    )
    .select('subscription.id')
    .limit(1)

export function selectWebhooks(db: Db, account_id: number): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().where('account_id', '=', account_id).orderBy('id').execute()
}

export function selectWebhook(db: Db, account_id: number, id: number): Promise<WebhookRow | undefined> {
  return one(db, account_id, id).executeTakeFirst()
}

/** The enabled webhooks that an integration subscribed, locked. */
export function lockWebhooksOf(tx: Tx, account_id: number, integration_id: string): Promise<WebhookRow[]> {
  return tx
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .where('is_disabled', '=', 0)
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
}

export function lockWebhook(tx: Tx, account_id: number, id: number): Promise<WebhookRow | undefined> {
  return one(tx, account_id, id).modifyEnd(forUpdate(tx)).executeTakeFirst()
}

const one = (db: Db, account_id: number, id: number) =>
  db.selectFrom('webhooks').selectAll().where('account_id', '=', account_id).where('id', '=', id)

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx.insertInto('webhooks').values(row).execute()
}

export async function updateWebhook(
  tx: Tx,
  { account_id, id }: Pick<WebhookRow, 'account_id' | 'id'>,
  changes: Partial<WebhookRow>,
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteWebhook(tx: Tx, account_id: number, id: number): Promise<void> {
  await tx.deleteFrom('webhooks').where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** The stored joint ordering keys of these records. */
export const selectOrders = prepared((db, at: { account_id: number; records: string[] }) =>
  db
    .selectFrom('webhook_orders')
    .select(['record', 'ordering_keys'])
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('record'), at.records)),
)

export type OrderKey = Pick<WebhookOrderRow, 'account_id' | 'record'>

/** Those that were stored before a time, of all accounts, after one of them in the order of the primary key. */
export const selectOldOrders = (
  db: Db,
  before: number,
  { account_id, record }: OrderKey,
  limit: number,
): Promise<WebhookOrderRow[]> =>
  db
    .selectFrom('webhook_orders')
    .selectAll()
    .where(sql<SqlBool>`(account_id, record) > (${account_id}, ${record})`)
    .where('created_at', '<', before)
    .orderBy('account_id')
    .orderBy('record')
    .limit(limit)
    .execute()

/** Deletes those of these records that have not been stored again since. */
export async function deleteOrders(
  tx: Tx,
  account_id: number,
  records: readonly string[],
  before: number,
): Promise<void> {
  await tx
    .deleteFrom('webhook_orders')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('record'), records))
    .where('created_at', '<', before)
    .execute()
}

export async function insertAnnouncement(tx: Tx, row: WebhookAnnouncementRow): Promise<void> {
  await tx.insertInto('webhook_announcements').values(row).execute()
}

const anyAnnouncement = prepared((db, _: object) =>
  db.selectFrom('webhook_announcements').select('id').limit(1),
)

/** Whether the queue of announcements, of all accounts, has entries. */
export const hasAnnouncements = async (db: Db): Promise<boolean> => (await anyAnnouncement(db, {})).length > 0

/** Some of the accounts with announcements, by their ids. A step goes from one to the next in the index of accounts. */
export const announcingAccounts = batched((db, { after, limit }: { after: number; limit: number }) => {
  const next = (account_id: unknown) =>
    sql`(select min(account_id) from ${sql.table('webhook_announcements')} where account_id > ${account_id})`
  return {
    compile: () =>
      sql<{ account_id: number }>`
        with recursive steps(account_id) as (
          select ${next(after)} union all
          select ${next(sql.ref('steps.account_id'))} from steps where account_id is not null
        )
        select account_id from steps where account_id is not null limit ${limit}`.compile(db),
  }
})

/** The oldest announcements of an account. */
export const oldestAnnouncements = batched((db, at: { account_id: number; limit: number }) =>
  db
    .selectFrom('webhook_announcements')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .orderBy('id')
    .limit(at.limit),
)

/** Keeps the rest of an announcement, of which a part has been queued. */
export async function shortenAnnouncement(
  tx: Tx,
  { id }: Pick<WebhookAnnouncementRow, 'id'>,
  changes: string,
): Promise<void> {
  await tx.updateTable('webhook_announcements').set({ changes }).where('id', '=', id).execute()
}

export async function deleteAnnouncements(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('webhook_announcements')
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .execute()
}

export const replaceOrders = (tx: Tx, rows: readonly WebhookOrderRow[]): Promise<void> =>
  replaceRows(tx, 'webhook_orders', ['account_id', 'record'], rows)

/** Announcements that are read: they wait for a moment, so there are few. */
const MOST_WAITING = 1_000

/** The announcements of some causes that have not become deliveries yet, without their changes. */
export function announcementsOf(
  db: Db,
  account_id: number,
  names: readonly string[],
): Promise<Omit<WebhookAnnouncementRow, 'changes'>[]> {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('webhook_announcements')
        .select(['id', 'account_id', 'request_id', 'created_at', 'trace_context'])
        .where('account_id', '=', account_id)
        .orderBy('id')
        .limit(MOST_WAITING)
        .as('waiting'),
    )
    .selectAll()
    .where((eb) => isOneOf(db, eb.ref('request_id'), names))
    .execute()
}
