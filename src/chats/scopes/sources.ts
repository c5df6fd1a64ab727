import type { Db } from '../../db/database.ts'
import type { SourceRow } from '../../db/tables.ts'

/** A source of the integration of a channel. */
export type ChatSource = Pick<SourceRow, 'id' | 'name' | 'external_id' | 'pipeline_id'>

/** Sources of integrations, which are a later slice. */
export interface SourcesOfChats {
  /** The source with this name, otherwise the default one of the integration; undefined without either. */
  sourceFor(
    db: Db,
    account_id: number,
    named: { integration_id: string; external_id: string | null },
  ): Promise<ChatSource | undefined>
  /** The ids of sources by the names that integrations gave them, in the same order; null for unknown ones. */
  findSourceIds(
    db: Db,
    account_id: number,
    named: readonly { integration_id: string; external_id: string }[],
  ): Promise<(number | null)[]>
  /** The ids of all sources of an integration. */
  listSourceIds(db: Db, account_id: number, integration_id: string): Promise<number[]>
}
