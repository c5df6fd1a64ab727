import type { Db, Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { SurveyRow } from '../db/tables.ts'

export const insertSurvey = (tx: Tx, row: SurveyRow): Promise<void> => insertRows(tx, 'surveys', [row])

/** A survey by its token, which also determines the account. */
export function findSurveyRow(db: Db, token: string): Promise<SurveyRow | undefined> {
  return db.selectFrom('surveys').selectAll().where('token', '=', token).executeTakeFirst()
}

/** Stores the rating. Of several concurrent calls, exactly one returns true. */
export async function rateSurvey(
  tx: Tx,
  { account_id, token }: SurveyRow,
  rate: number,
  rated_at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('surveys')
    .set({ rate, rated_at })
    .where('account_id', '=', account_id)
    .where('token', '=', token)
    .where('rate', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
