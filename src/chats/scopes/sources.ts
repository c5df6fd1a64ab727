import type { Db } from '../../db/database.ts'

/** Sources of integrations, which are a later slice. */
export interface SourcesOfChats {
  /** The ids of sources by the names that integrations gave them, in the same order; null for unknown ones. */
  findSourceIds(
    db: Db,
    account_id: number,
    named: readonly { integration_id: string; external_id: string }[],
  ): Promise<(number | null)[]>
  /** The ids of all sources of an integration. */
  listSourceIds(db: Db, account_id: number, integration_id: string): Promise<number[]>
}
