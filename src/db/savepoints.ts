import { sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Does a part of a transaction that may be refused: then what the part wrote is taken back, and the transaction goes on.
 * Parts follow each other, and none is inside another.
 */
export async function inSavepoint<T>(tx: Tx, part: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(tx)
  try {
    const done = await part()
    await sql`release savepoint part`.execute(tx)
    return done
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx)
    await sql`release savepoint part`.execute(tx)
    throw error
  }
}
