import { sql } from 'kysely'
import type { Db, Tx } from './database.ts'

/** Values that the server stores for itself by name: not of a tenant, and not set by people. */
export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function writeSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Sets a setting to a number, unless it has a greater one, also if another transaction has just set that. */
export async function raiseSetting(tx: Tx, name: string, value: number): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value: String(value) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: String(value) })
        .where(sql<number>`cast(settings.value as bigint)`, '<', value),
    )
    .execute()
}

/** Deletes all settings: those of a database without data are replaced by those of a backup. */
export async function clearSettings(tx: Tx): Promise<void> {
  await tx.deleteFrom('settings').execute()
}
