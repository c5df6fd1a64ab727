import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import type { SourceRow } from '../../db/tables.ts'

/** The sources of one integration in one account. There are at most a hundred, so they fit on one page. */
export function sourcesOf(db: Db, account_id: number, integration_id: string): Promise<SourceRow[]> {
  return db
    .selectFrom('sources')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .orderBy('id')
    .execute()
}

/** The sources of integrations with any of these names. Index: sources_by_external_id. */
export function sourcesNamed(
  db: Db,
  account_id: number,
  integration_ids: readonly string[],
  external_ids: readonly string[],
): Promise<SourceRow[]> {
  return db
    .selectFrom('sources')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('integration_id'), integration_ids))
    .where((eb) => isOneOf(db, eb.ref('external_id'), external_ids))
    .execute()
}

/** The sources of any integrations with these ids. By the primary key. */
export function sourcesWithIds(db: Db, account_id: number, ids: readonly number[]): Promise<SourceRow[]> {
  return db
    .selectFrom('sources')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
}

export async function insertSources(tx: Tx, rows: SourceRow[]): Promise<void> {
  await tx.insertInto('sources').values(rows).execute()
}

/** Overwrites the rows with the same ids, in one statement. */
export async function replaceSources(tx: Tx, rows: SourceRow[]): Promise<void> {
  await tx
    .insertInto('sources')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'id']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        pipeline_id: eb.ref('excluded.pipeline_id'),
        is_default: eb.ref('excluded.is_default'),
        origin_code: eb.ref('excluded.origin_code'),
        services: eb.ref('excluded.services'),
      })),
    )
    .execute()
}

export async function deleteSourceRows(
  tx: Tx,
  account_id: number,
  integration_id: string,
  ids: number[],
): Promise<void> {
  await tx
    .deleteFrom('sources')
    .where('account_id', '=', account_id)
    .where('integration_id', '=', integration_id)
    .where('id', 'in', ids)
    .execute()
}

/** Moves the sources of all integrations to another pipeline. */
export async function moveSources(tx: Tx, account_id: number, from: number, to: number): Promise<void> {
  await tx
    .updateTable('sources')
    .set({ pipeline_id: to })
    .where('account_id', '=', account_id)
    .where('pipeline_id', '=', from)
    .execute()
}
