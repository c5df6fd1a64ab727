import { findFields, phoneKey, textKey } from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import {
  type Access,
  addInside,
  newestNamed,
  newestWithKeys,
  type RecordWrite,
} from '../../entities/entities.ts'
import type { RecordDraft } from '../../entities/records/draft-schemas.ts'
import type { RelatedDraft, RowPlan } from '../rows/row-drafts.ts'
import type { ImportedType } from '../rows/targets.ts'

type Kind = 'contacts' | 'companies'

/** A record that was added for another one. */
export interface AddedRecord {
  entity_type: Kind
  id: number
}

/** The contacts and companies of rows, by the positions of the rows, and which of them were added for which row. */
export interface RelatedRecords {
  contacts: Map<number, number>
  companies: Map<number, number>
  made: Map<number, AddedRecord[]>
}

const members = { contacts: 'contact', companies: 'company' } as const
const kindsOf: Record<ImportedType, readonly Kind[]> = {
  leads: ['companies', 'contacts'],
  contacts: ['companies'],
  companies: [],
}

/** The existing records that rows name, by what they name. */
export type KnownRecords = Record<Kind, ReadonlyMap<string, number>>

/** Finds the related records of rows by phone number, e-mail or name. */
export async function findRelatedRecords(
  tx: Tx,
  access: Access,
  plans: readonly RowPlan[],
  type: ImportedType,
): Promise<KnownRecords> {
  const known: KnownRecords = { contacts: new Map(), companies: new Map() }
  for (const kind of kindsOf[type]) {
    const requests = plans.flatMap((plan) => requestOf(plan, kind) ?? [])
    if (requests.length > 0) known[kind] = await findKnown(tx, access, kind, requests)
  }
  return known
}

/** Adds the related records of rows that are missing. */
export async function addRelatedRecords(
  write: RecordWrite,
  plans: readonly RowPlan[],
  type: ImportedType,
  existing: KnownRecords,
): Promise<RelatedRecords> {
  const related: RelatedRecords = { contacts: new Map(), companies: new Map(), made: new Map() }
  for (const kind of kindsOf[type]) {
    const requests = plans.flatMap((plan) => requestOf(plan, kind) ?? [])
    if (requests.length === 0) continue
    const known = new Map(existing[kind])
    const fresh = [
      ...new Map(requests.toReversed().map((request) => [request.key, request])).values(),
    ].filter(({ key }) => !known.has(key))
    const drafts = fresh.map((request) => draftOf(request, related.companies.get(request.plan.position)))
    const rows = fresh.length > 0 ? await addInside(write, kind, drafts) : []
    rows.forEach(({ id }, i) => {
      const { key, plan } = fresh[i] as RelatedRequest
      known.set(key, id)
      related.made.set(plan.position, [...(related.made.get(plan.position) ?? []), { entity_type: kind, id }])
    })
    for (const { plan, key } of requests) related[kind].set(plan.position, known.get(key) as number)
  }
  return related
}

interface RelatedRequest {
  plan: RowPlan
  who: RelatedDraft
  /** Equal for two rows with the same record. */
  key: string
  phone: string | null
  email: string | null
}

function requestOf(plan: RowPlan, kind: Kind): RelatedRequest | null {
  const who = plan[members[kind]]
  const phone = who.phone === undefined ? null : phoneKey(who.phone)
  const email = who.email === undefined ? null : textKey(who.email)
  const name = who.name === undefined ? null : textKey(who.name)
  // A company is identified by its name. Many people share a name.
  const keys = kind === 'companies' ? [name, phone] : [phone, email, name]
  const at = keys.findIndex((one) => one !== null)
  const spoken = Object.values(who).find((one) => one !== undefined)
  if (at < 0 && spoken === undefined) return null
  return { plan, who, key: at < 0 ? `as it is ${spoken}` : `${at} ${keys[at]}`, phone, email }
}

async function findKnown(
  tx: Tx,
  access: Access,
  kind: Kind,
  requests: readonly RelatedRequest[],
): Promise<Map<string, number>> {
  const { byCode } = await findFields(tx, access.actor.account_id, kind)
  const holders = async (code: string, keys: string[]): Promise<Map<string, number>> => {
    const field = byCode.get(code)
    return field ? newestWithKeys(tx, access, kind, field.id, keys) : new Map()
  }
  const phones = await holders(
    'PHONE',
    requests.flatMap(({ phone }) => phone ?? []),
  )
  const emails = await holders(
    'EMAIL',
    requests.flatMap(({ email }) => email ?? []),
  )
  const isNamed = ({ phone, email }: RelatedRequest) =>
    kind === 'companies' || (phone === null && email === null)
  const named = await newestNamed(
    tx,
    access,
    kind,
    requests.filter(isNamed).flatMap(({ who }) => who.name ?? []),
  )
  const known = new Map<string, number>()
  for (const request of requests) {
    const { key, who, phone, email } = request
    const byName = isNamed(request) ? named.get(who.name ?? '') : undefined
    const byReach = phones.get(phone ?? '') ?? emails.get(email ?? '')
    const id = kind === 'companies' && who.name !== undefined ? byName : (byReach ?? byName)
    if (id !== undefined) known.set(key, id)
  }
  return known
}

function draftOf({ plan, who }: RelatedRequest, company_id: number | undefined): RecordDraft {
  const values = [
    ...(who.phone === undefined ? [] : [{ field_code: 'PHONE', values: [{ value: who.phone }] }]),
    ...(who.email === undefined ? [] : [{ field_code: 'EMAIL', values: [{ value: who.email }] }]),
  ]
  const { responsible_user_id } = plan.draft
  return {
    request_id: String(plan.position),
    name: who.name ?? who.phone?.slice(0, 255) ?? who.email?.slice(0, 255) ?? '',
    ...(responsible_user_id !== undefined && { responsible_user_id }),
    ...(values.length > 0 && { custom_fields_values: values }),
    ...(company_id !== undefined && { _embedded: { companies: [{ id: company_id }] } }),
  }
}
