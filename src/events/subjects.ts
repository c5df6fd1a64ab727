import type { Expression, SqlBool } from 'kysely'
import type { Actor } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'

/**
 * What the log asks of the things that events are about. Every change records an event, so the log lies below records
 * and tasks; yet who reads it must not read of what he may not see, and wants to be told what it is called. These slices
 * answer, and the surface passes them in: the one edge of the program that is turned around.
 */
export interface Subjects {
  /** How much of each kind the actor may see, asked for once a request; null when nothing is hidden from him. */
  visibilities(db: Db, actor: Actor): Promise<Visibility[] | null>
  /**
   * The names of some things of one kind, and with `catalogs` those of lists; what is gone for good, and kinds without
   * names, are left out.
   */
  names(db: Db, account_id: number, entity_type: string, ids: readonly number[]): Promise<Map<number, string>>
}

export interface Visibility {
  /** `lead`, `contact`, `company`, `customer`, `task`, `catalog_<id>`; of kinds that are not named nothing is seen. */
  entity_type: string
  /** Which of them; null when all. */
  limit: Limit | null
}

export interface Limit {
  /** Whether he sees the one whose id stands in the column. */
  covers(id_column: string): Expression<SqlBool>
  /** The ids of those that he sees, in any order; null when there are more than `most`. */
  few(most: number): Promise<number[] | null>
}
