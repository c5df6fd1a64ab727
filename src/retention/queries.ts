import { sql } from 'kysely'
import { selectAccount } from '../accounts/accounts.ts'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, forUpdateSkipLocked, isOneOf } from '../db/dialect.ts'
import { replaceRows } from '../db/row-sets.ts'
import type { RetentionRunRow, RetentionSettingRow } from '../db/tables.ts'

/** The settings of an account that differ from the defaults. */
export function settingRows(db: Db, account_id: number): Promise<RetentionSettingRow[]> {
  return db.selectFrom('retention_settings').selectAll().where('account_id', '=', account_id).execute()
}

export const replaceSettings = (tx: Tx, rows: RetentionSettingRow[]): Promise<void> =>
  replaceRows(tx, 'retention_settings', ['account_id', 'kind'], rows)

export function findRun(db: Db, account_id: number): Promise<RetentionRunRow | undefined> {
  return db.selectFrom('retention_runs').selectAll().where('account_id', '=', account_id).executeTakeFirst()
}

export function lockRun(tx: Tx, account_id: number): Promise<RetentionRunRow | undefined> {
  return tx
    .selectFrom('retention_runs')
    .selectAll()
    .where('account_id', '=', account_id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
}

export async function updateRun(
  tx: Tx,
  account_id: number,
  change: Partial<Omit<RetentionRunRow, 'account_id'>>,
): Promise<void> {
  await tx.updateTable('retention_runs').set(change).where('account_id', '=', account_id).execute()
}

/** Plans the first deletions of accounts. Existing rows stay. */
export async function planFirstRuns(tx: Tx, accounts: readonly number[], due_at: number): Promise<void> {
  if (accounts.length === 0) return
  await tx
    .insertInto('retention_runs')
    .values(
      accounts.map((account_id) => ({
        account_id,
        due_at,
        lease: null,
        kind: null,
        position: null,
        deleted: '{}',
        kept: '{}',
        started_at: null,
        ended_at: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Accounts for which no deletion was planned yet. */
export async function accountsWithoutRun(db: Db, most: number): Promise<number[]> {
  const planned = db
    .selectFrom('retention_runs')
    .select('retention_runs.account_id')
    .where('retention_runs.account_id', '=', sql.ref<number>('accounts.id'))
  const rows = await selectAccount(db)
    .where((eb) => eb.not(eb.exists(planned)))
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** Seconds from the end of a deletion to the next one. */
export const EVERY_SECONDS = 24 * 3_600

/** Leases the deletion that is due for longest, of an account that is not in `not`. By retention_runs_due. */
export async function claimRun(
  tx: Tx,
  { now, until, lease, not }: { now: number; until: number; lease: string; not: readonly number[] },
): Promise<RetentionRunRow | undefined> {
  const run = await tx
    .selectFrom('retention_runs')
    .selectAll()
    // A time that is later than any wait was stored while the clock was ahead.
    .where((eb) => eb.or([eb('due_at', '<=', now), eb('due_at', '>', now + EVERY_SECONDS)]))
    .where((eb) => eb.not(isOneOf(tx, eb.ref('account_id'), not)))
    .orderBy('due_at')
    .limit(1)
    .modifyEnd(forUpdateSkipLocked(tx))
    .executeTakeFirst()
  if (!run) return undefined
  await updateRun(tx, run.account_id, { due_at: until, lease })
  return { ...run, due_at: until, lease }
}

/** Ends all leases, so that their work is due. */
export async function endLeases(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('retention_runs')
    .set({ due_at: now, lease: null })
    .where('lease', 'is not', null)
    .execute()
}
