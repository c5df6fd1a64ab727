import type { Tx } from '../database.ts'
import type { Counted } from '../tables.ts'

/**
 * One step of the schema. Once published, it stays as it is: databases have applied it, and a restore applies it to the tables of
 * an old backup (S49). `fill` works on the schema of its time, so it does not use the code of slices.
 */
export interface Migration {
  name: string
  /** Tables whose id sequences start with this migration. */
  counted: Counted[]
  /** In PostgreSQL's dialect; see translateDdl. */
  statements: string[]
  /**
   * Indexes, each as `create index …`, without which statements find the same rows more slowly. A database with data gets
   * them after the server has begun to answer (`online-indexes.ts`). A migration that drops one removes it from here.
   */
  indexes?: string[]
  /** The previous release works on the schema, too: it has only more tables, indexes, triggers or columns with a default. */
  isAdditive?: true
  /** Fills new tables from existing data. */
  fill?: (tx: Tx) => Promise<void>
}
