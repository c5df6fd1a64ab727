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
    const add = async (type: 'companies' | 'contacts', related: (RecordDraft | null)[]) => {
      const fresh = related.flatMap((draft, at) =>
        draft ? [{ draft: { ...draft, request_id: String(at) }, at }] : [],
      )
      if (fresh.length === 0) return new Map<number, EntityRow>()
      const rows = await addInside(
        ctx,
        tx,
        access,
        type,
        fresh.map(({ draft }) => draft),
        { written },
      ).catch((error) => {
        throw renamed(error, drafts, `_embedded.${type}.0.`)
      })
      return new Map(fresh.map(({ at }, i) => [at, rows[i] as EntityRow]))
    }
    const companies = await add(
      'companies',
      drafts.map((draft) => fresh(draft, 'companies')),
    )
    const companyOf = (draft: ComplexDraft, i: number) =>
      named(draft, 'companies') ?? companies.get(i)?.id ?? null
    const contacts = await add(
      'contacts',
      drafts.map((draft, i) => {
        const contact = fresh(draft, 'contacts')
        const company = companyOf(draft, i)
        return contact && company !== null ? withLinks(contact, { companies: [{ id: company }] }) : contact
      }),
    )
    const contactOf = (draft: ComplexDraft, i: number) =>
      named(draft, 'contacts') ?? contacts.get(i)?.id ?? null
    const leads = await addInside(
      ctx,
      tx,
      access,
      'leads',
      drafts.map((draft, i) => {
        const [contact, company] = [contactOf(draft, i), companyOf(draft, i)]
        const tags = draft._embedded?.tags
        return {
          ...draft,
          _embedded: {
            ...(tags !== undefined && { tags }),
            contacts: contact === null ? [] : [{ id: contact, is_main: true }],
            companies: company === null ? [] : [{ id: company }],
          },
        }
      }),
      { written },
    )
    return leads.map(({ id }, i) => ({
      id,
      contact_id: contactOf(drafts[i] as ComplexDraft, i),
      company_id: companyOf(drafts[i] as ComplexDraft, i),
      request_id: [String(drafts[i]?.request_id ?? i)],
      merged: false,
    }))
  })
}

const relatedOf = ({ _embedded }: ComplexDraft, kind: 'contacts' | 'companies') => _embedded?.[kind]?.[0]

const named = (draft: ComplexDraft, kind: 'contacts' | 'companies'): number | null =>
  relatedOf(draft, kind)?.id ?? null

function fresh(draft: ComplexDraft, kind: 'contacts' | 'companies'): RecordDraft | null {
  const companion = relatedOf(draft, kind)
  return companion && companion.id === undefined ? companion : null
}

const withLinks = (draft: RecordDraft, links: NonNullable<RecordDraft['_embedded']>): RecordDraft => ({
  ...draft,
  _embedded: { ...draft._embedded, ...links },
})

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
