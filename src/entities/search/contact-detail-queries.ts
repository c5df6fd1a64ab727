import { filteredIds, findFields, phoneKey, textKey } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'

/** Contact details as written by a person or a messenger. */
export interface ContactDetails {
  phone: string | null
  email: string | null
}

/** The search keys of a telephone number and an e-mail address; null for an invalid number. */
export const detailKeys = ({
  phone,
  email,
}: ContactDetails): { PHONE: string | null; EMAIL: string | null } => ({
  PHONE: phone === null ? null : phoneKey(phone),
  EMAIL: email === null || textKey(email) === '' ? null : textKey(email),
})

/**
 * Contacts outside the trash and of no waiting incoming lead with this telephone number or e-mail: at most two of each, which shows whether the
 * match is unique. By the primary key of field_keys.
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
      .where('is_unsorted', '=', 0)
      .limit(2)
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}
