import { filteredIds, findFields, phoneKey, textKey } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'

/** How somebody is reached, as he or his messenger wrote it. */
export interface ContactDetails {
  phone: string | null
  email: string | null
}

/** What a telephone or an e-mail is found by, however it is written; null for a telephone that is none. */
export const detailKeys = ({
  phone,
  email,
}: ContactDetails): { PHONE: string | null; EMAIL: string | null } => ({
  PHONE: phone === null ? null : phoneKey(phone),
  EMAIL: email === null || textKey(email) === '' ? null : textKey(email),
})

/**
 * The contacts outside of the trash that have this telephone or this e-mail: of each two at most, which is enough to know
 * whether it leads to one alone. By the primary key of field_keys.
 */
export async function findContactsByDetails(
  db: Db,
  account_id: number,
  reach: ContactDetails,
): Promise<Set<number>> {
  const { byCode } = await findFields(db, account_id, 'contacts')
  const found = new Set<number>()
  for (const [code, key] of Object.entries(detailKeys(reach))) {
    const field = byCode.get(code)
    if (!field || key === null) continue
    const holders = filteredIds(db, account_id, { field_id: field.id, keys: [key], from: null, to: null })
    const rows = await db
      .selectFrom('entities')
      .select('id')
      .where('account_id', '=', account_id)
      .where('entity_type', '=', 'contacts')
      .where('id', 'in', holders)
      .where('is_deleted', '=', 0)
      .limit(2)
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}
