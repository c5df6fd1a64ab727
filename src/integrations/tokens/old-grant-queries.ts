import { sql } from 'kysely'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { OldWindow } from '../../db/old-rows.ts'
import { deleteRows } from '../../db/row-sets.ts'
import type { GrantRow } from '../../db/tables.ts'

type OldGrant = Pick<GrantRow, 'id' | 'created_at'> & { has_tokens: number }

/** The oldest consents, and whether tokens of them are kept; a range of grants_by_creation. */
export function oldGrantRows(db: Db, { account_id, before, after, limit }: OldWindow): Promise<OldGrant[]> {
  const [at = -1, id = ''] = after ?? []
  const tokens = db
    .selectFrom('token_pairs')
    .select(sql.lit(1).as('one'))
    .where('token_pairs.grant_id', '=', sql.ref<string>('grants.id'))
    .limit(1)
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('grants')
      .select(['id', 'created_at'])
      .select((eb) => eb.fn.coalesce(tokens, sql.lit(0)).as('has_tokens'))
      .where('account_id', '=', account_id)
      .where('created_at', '<', before)
      .where(sql<boolean>`(created_at, id) > (${at}, ${id})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit),
  )
}

export const deleteGrants = (tx: Tx, ids: readonly string[]): Promise<void> =>
  deleteRows(
    tx,
    'grants',
    ids.map((id) => ({ id })),
  )
