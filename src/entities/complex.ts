import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { EntityRow } from '../db/tables.ts'
import { type Fault, Refusal } from '../errors.ts'
import { loadAccess } from './access.ts'
import type { RecordDraft } from './draft-schemas.ts'
import type { Written } from './hooks.ts'
import { addInside } from './write.ts'

/** A contact or company of a complex lead: an existing one by id, or a new one. */
export type RelatedDraft = RecordDraft & { id?: number | undefined }

export interface ComplexDraft extends Omit<RecordDraft, '_embedded'> {
  _embedded?: {
    tags?: NonNullable<RecordDraft['_embedded']>['tags']
    contacts?: RelatedDraft[] | null
    companies?: RelatedDraft[] | null
    metadata?: { category?: string } | null
  } | null
}

export interface ComplexAnswer {
  id: number
  contact_id: number | null
  company_id: number | null
  request_id: string[]
  merged: boolean
}

/** Adds leads with their contacts and companies, linked to each other; all or none. */
export function addComplex(
  ctx: Context,
  actor: Actor,
  drafts: ComplexDraft[],
  written?: Written,
): Promise<ComplexAnswer[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    const add: Add = (type, records) => addInside(ctx, tx, access, type, records, { written })
    const companies = await addRelated(add, 'companies', drafts, (draft) => fresh(draft, 'companies'))
    const contacts = await addRelated(add, 'contacts', drafts, (draft, i) => contactOf(draft, companies[i]))
    const leads = await add(
      'leads',
      drafts.map((draft, i) => leadOf(draft, contacts[i], companies[i])),
    )
    return leads.map(({ id }, i) => ({
      id,
      contact_id: contacts[i] ?? null,
      company_id: companies[i] ?? null,
      request_id: [String(drafts[i]?.request_id ?? i)],
      merged: false,
    }))
  })
}

type Related = 'companies' | 'contacts'
type Add = (type: 'leads' | Related, records: RecordDraft[]) => Promise<EntityRow[]>

/** Adds the new companies or contacts of the leads. Returns the id for each lead, of a new or an existing record. */
async function addRelated(
  add: Add,
  type: Related,
  leads: ComplexDraft[],
  newOf: (lead: ComplexDraft, i: number) => RecordDraft | null,
): Promise<(number | undefined)[]> {
  const added = leads.flatMap((lead, i) => {
    const draft = newOf(lead, i)
    return draft ? [{ ...draft, request_id: String(i) }] : []
  })
  const rows =
    added.length === 0
      ? []
      : await add(type, added).catch((error) => {
          throw renamed(error, leads, `_embedded.${type}.0.`)
        })
  const ids = new Map(added.map(({ request_id }, i) => [request_id, rows[i]?.id]))
  return leads.map((lead, i) => relatedOf(lead, type)?.id ?? ids.get(String(i)))
}

/** The new contact of a lead, in the company of the lead. */
function contactOf(lead: ComplexDraft, company: number | undefined): RecordDraft | null {
  const contact = fresh(lead, 'contacts')
  if (!contact || company === undefined) return contact
  return { ...contact, _embedded: { ...contact._embedded, companies: [{ id: company }] } }
}

function leadOf(draft: ComplexDraft, contact: number | undefined, company: number | undefined): RecordDraft {
  const tags = draft._embedded?.tags
  return {
    ...draft,
    _embedded: {
      ...(tags !== undefined && { tags }),
      contacts: contact === undefined ? [] : [{ id: contact, is_main: true }],
      companies: company === undefined ? [] : [{ id: company }],
    },
  }
}

const relatedOf = ({ _embedded }: ComplexDraft, type: Related) => _embedded?.[type]?.[0]

function fresh(draft: ComplexDraft, type: Related): RecordDraft | null {
  const related = relatedOf(draft, type)
  return related && related.id === undefined ? related : null
}

/** Maps faults of a related record to the path within its lead. */
function renamed(error: unknown, drafts: ComplexDraft[], prefix: string): unknown {
  if (!(error instanceof Refusal) || error.faults.length === 0) return error
  const faults = error.faults.map(
    (fault): Fault => ({
      ...fault,
      request_id: String(drafts[Number(fault.request_id)]?.request_id ?? fault.request_id),
      path: prefix + fault.path,
    }),
  )
  return new Refusal(error.reason, error.message, { faults })
}
