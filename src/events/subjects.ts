import type { Expression, SqlBool } from 'kysely'
import type { Actor } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'

/**
 * Questions of the log about the records of its events. Every change records an event, so the log is below records and
 * tasks. Still, readers must not learn about hidden records, and want their names. Those slices implement this
 * interface, and the surface passes it in: the only inverted dependency of the program.
 */
export interface Subjects {
  /** The records of each kind that the actor can see, read once per request; null if they can see everything. */
  visibilities(db: Db, actor: Actor): Promise<Visibility[] | null>
  /** Names of records of one kind, or of lists for `catalogs`. Deleted records and kinds without names are left out. */
  names(db: Db, account_id: number, entity_type: string, ids: readonly number[]): Promise<Map<number, string>>
}

export interface Visibility {
  /** Kinds that are missing are hidden completely. */
  entity_type: string
  /** The visible records of the kind; null for all. */
  limit: Limit | null
}

export interface Limit {
  /** Whether the record whose id is in the column is visible. */
  covers(id_column: string): Expression<SqlBool>
  /** The ids of the visible records, in any order; null if there are more than `most`. */
  few(most: number): Promise<number[] | null>
}
