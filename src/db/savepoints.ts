import { sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Runs a part of a transaction in a savepoint: if it throws a Refusal, its writes are rolled back and the
 * transaction continues. Parts run sequentially and cannot be nested. A part must not leave a write behind: a branch that
 * goes on after another one has thrown would write outside of the savepoint.
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
