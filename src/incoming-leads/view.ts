import type { Db } from '../db/database.ts'
import { readingTogether } from '../db/query-batches.ts'
import type { IncomingLeadRow } from '../db/tables.ts'
import { type Access, embeddedLinks } from '../entities/entities.ts'
import { self } from '../http/hal.ts'
import type { IncomingLead } from './schemas.ts'

/** The ids of the records of an incoming lead. */
export interface RecordIds {
  contacts: number[]
  leads: number[]
  companies: number[]
}

/** The visible contacts and companies of these leads. */
export async function recordsOf(
  db: Db,
  access: Access,
  lead_ids: readonly number[],
): Promise<(lead_id: number) => RecordIds> {
  if (lead_ids.length === 0) return (id) => ({ contacts: [], leads: [id], companies: [] })
  const page = readingTogether(db, lead_ids.length)
  const [contacts, companies] = await Promise.all(
    (['contacts', 'companies'] as const).map(async (type) =>
      Map.groupBy(await embeddedLinks(page, access, lead_ids, type), ({ entity_id }) => entity_id),
    ),
  )
  const idsIn = (links: typeof contacts, id: number) =>
    (links?.get(id) ?? []).map(({ to_entity_id }) => to_entity_id)
  return (id) => ({ contacts: idsIn(contacts, id), leads: [id], companies: idsIn(companies, id) })
}

/** Records as every answer of the slice names them. */
export const linked = (base: string, type: string, ids: readonly number[]) =>
  ids.map((id) => ({ id, _links: self(`${base}/${type}/${id}`) }))

export const linkedRecords = (base: string, { contacts, leads, companies }: RecordIds) => ({
  contacts: linked(base, 'contacts', contacts),
  leads: linked(base, 'leads', leads),
  companies: linked(base, 'companies', companies),
})

export const incomingLeadView = (base: string, row: IncomingLeadRow, records: RecordIds): IncomingLead => ({
  uid: row.uid,
  source_uid: row.source_uid,
  source_name: row.source_name,
  category: row.category as IncomingLead['category'],
  pipeline_id: row.pipeline_id,
  created_at: row.created_at,
  metadata: JSON.parse(row.metadata),
  account_id: row.account_id,
  _links: self(`${base}/leads/unsorted/${row.uid}`),
  _embedded: linkedRecords(base, records),
})
