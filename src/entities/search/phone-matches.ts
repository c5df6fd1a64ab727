import type { Actor } from '../../accounts/accounts.ts'
import { findFields, phoneKey } from '../../custom-fields/custom-fields.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { type Access, can, loadAccess, type RecordRight } from '../records/access.ts'
import type { CardType } from '../records/entity-types.ts'
import { lockRecords } from '../records/records.ts'
import { type HolderType, newestHolders, newestOpenRecords } from './phone-queries.ts'

interface Match {
  entity_type: CardType
  id: number
}

/**
 * Finds and locks the record for a call with each of these telephone numbers, by the number as given. Records that
 * the actor cannot edit are treated as missing, so that responses do not reveal them.
 */
export async function findCallRecords(
  tx: Tx,
  actor: Actor,
  phones: readonly string[],
): Promise<Map<string, EntityRow>> {
  const access = await loadAccess(tx, actor)
  const holders = await findByPhone(tx, access, phones, 'edit')
  const matches = await findOpenRecord(tx, access, holders)
  const rows = await lockRecords(tx, actor.account_id, [...matches.values()])
  return new Map(
    [...matches].flatMap(([phone, { id }]): [string, EntityRow][] => {
      const row = rows.get(id)
      // It may have been changed or deleted before it was locked.
      const isThere = row && row.is_deleted === 0 && can(access, 'edit', row)
      return isThere ? [[phone, row]] : []
    }),
  )
}

/** The newest contact with each number, or else the newest company, for which the actor has the right. */
export async function findByPhone(
  db: Db,
  access: Access,
  phones: readonly string[],
  right: RecordRight,
): Promise<Map<string, Match & { entity_type: HolderType }>> {
  const keys = new Map(
    phones.flatMap((phone): [string, string][] => {
      const key = phoneKey(phone)
      return key === null ? [] : [[phone, key]]
    }),
  )
  if (keys.size === 0) return new Map()
  const fields = {
    contacts: await phoneField(db, access, 'contacts'),
    companies: await phoneField(db, access, 'companies'),
  }
  const rows = await newestHolders(db, access, right, fields, [...new Set(keys.values())]).execute()
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return new Map(
    [...keys].flatMap(([phone, key]): [string, Match & { entity_type: HolderType }][] => {
      const { contact_id = null, company_id = null } = byKey.get(key) ?? {}
      if (contact_id !== null) return [[phone, { entity_type: 'contacts', id: contact_id }]]
      return company_id === null ? [] : [[phone, { entity_type: 'companies', id: company_id }]]
    }),
  )
}

const phoneField = async (db: Db, { actor }: Access, type: HolderType): Promise<number | undefined> =>
  (await findFields(db, actor.account_id, type)).byCode.get('PHONE')?.id

/**
 * The open business of these contacts and companies: the lead if exactly one is open and there is no customer, the
 * customer if there is exactly one and no open lead, otherwise the records themselves.
 */
async function findOpenRecord(
  db: Db,
  access: Access,
  holders: ReadonlyMap<string, Match>,
): Promise<Map<string, Match>> {
  if (holders.size === 0) return new Map()
  const ids = [...new Set([...holders.values()].map(({ id }) => id))]
  const rows = await newestOpenRecords(db, access, 'edit', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const workOf = (holder: Match): Match => {
    const { lead_id, other_lead_id, customer_id, other_customer_id } = byId.get(holder.id) ?? {}
    if (lead_id && !other_lead_id && !customer_id) return { entity_type: 'leads', id: lead_id }
    if (customer_id && !other_customer_id && !lead_id) return { entity_type: 'customers', id: customer_id }
    return holder
  }
  return new Map([...holders].map(([phone, holder]) => [phone, workOf(holder)]))
}
