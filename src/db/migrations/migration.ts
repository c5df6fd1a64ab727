import type { Tx } from '../database.ts'
import type { Counted } from '../tables.ts'

export interface Migration {
  name: string
  /** Tables whose id sequences start with this migration. */
  counted: Counted[]
  /** In PostgreSQL's dialect; see translateDdl. */
  statements: string[]
  /** Fills new tables from existing data. */
  fill?: (tx: Tx) => Promise<void>
}
