import type { Tx } from '../database.ts'
import type { Counted } from '../tables.ts'

export interface Migration {
  name: string
  /** Tables whose ids begin to be handed out with this migration. */
  counted: Counted[]
  /** In PostgreSQL's words; see translateDdl. */
  statements: string[]
  /** What has to be put into new tables from what is there already. */
  fill?: (tx: Tx) => Promise<void>
}
