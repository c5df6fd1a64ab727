import type { Db, Tx } from './database.ts'

/** What the server itself has to remember, by name: not a tenant's, and not what people set. */
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

/** Takes a setting away; true for the one who did. */
export async function deleteSetting(tx: Tx, name: string): Promise<boolean> {
  const gone = await tx.deleteFrom('settings').where('name', '=', name).returning('name').execute()
  return gone.length === 1
}
