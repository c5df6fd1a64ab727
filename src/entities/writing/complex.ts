import type { Static } from 'typebox'
import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { type Fault, Refusal } from '../../errors.ts'
import { findStages } from '../../pipelines/pipelines.ts'
import type { RecordDraft } from '../records/draft-schemas.ts'
import { findSourcesOf, type SourceOf } from '../records/lead-sources.ts'
import { type RecordWrite, writeRecords } from '../records/record-write.ts'
import { lockRecords, type RecordReference } from '../records/records.ts'
import { resolveTags } from '../tags/tags.ts'
import type { Arrival, RecordHooks } from './hooks.ts'
import type { ComplexMetadata } from './incoming-schemas.ts'
import { addInside, type WriteOptions } from './write.ts'

/** A contact or company of a complex lead: an existing one by id, or a new one. */
export type RelatedDraft = RecordDraft & { id?: number | undefined }

export interface ComplexDraft extends Omit<RecordDraft, '_embedded'> {
  _embedded?: {
    tags?: NonNullable<RecordDraft['_embedded']>['tags']
    source?: NonNullable<RecordDraft['_embedded']>['source']
    contacts?: RelatedDraft[] | null
    companies?: RelatedDraft[] | null
    metadata?: Static<typeof ComplexMetadata> | null
  } | null
}

export interface ComplexAnswer {
  id: number
  contact_id: number | null
  company_id: number | null
  request_id: string[]
  merged: boolean
}

/** The records of a complex lead. */
export interface ComplexRecords {
  lead: EntityRow
  contact_id: number | null
  company_id: number | null
}

/** Adds leads with their contacts and companies, linked to each other; all or none. */
export function addComplex(
  ctx: Context,
  actor: Actor,
  drafts: ComplexDraft[],
  { written, arrived, sources }: Pick<RecordHooks, 'written' | 'arrived' | 'sources'>,
): Promise<ComplexAnswer[]> {
  return writeRecords(ctx, actor, async (write) => {
    const { tx } = write
    const sourceOf = await findSourcesOf(tx, actor, drafts, sources)
    const incoming = await incomingOf(tx, actor, drafts, sourceOf)
    const isIncoming = (place: number) => incoming.has(place)
    const records = await addComplexInside(write, drafts, { written, isIncoming, sourceOf })
    const arrivals = records.flatMap(({ lead }, i): Arrival[] =>
      incoming.has(i) ? [{ lead, draft: drafts[i] as ComplexDraft, place: i }] : [],
    )
    if (arrivals.length > 0) await arrived(ctx, tx, actor, arrivals)
    return records.map(({ lead: { id }, contact_id, company_id }, i) => ({
      id,
      contact_id,
      company_id,
      request_id: [String(drafts[i]?.request_id ?? i)],
      merged: false,
    }))
  })
}

/** Adds complex leads within the caller's transaction. */
export async function addComplexInside(
  write: RecordWrite,
  drafts: ComplexDraft[],
  { written, isIncoming = () => false, sourceOf }: Pick<WriteOptions, 'written' | 'isIncoming' | 'sourceOf'>,
): Promise<ComplexRecords[]> {
  const add: Add = (type, records, isIncoming) =>
    addInside(write, type, records, {
      written,
      isIncoming,
      sourceOf: type === 'leads' ? sourceOf : undefined,
    })
  await lockAhead(write, drafts)
  const companies = await addRelated(add, 'companies', drafts, isIncoming, (draft) =>
    fresh(draft, 'companies'),
  )
  const contacts = await addRelated(add, 'contacts', drafts, isIncoming, (draft, i) =>
    contactOf(draft, companies[i]),
  )
  const leads = await add(
    'leads',
    drafts.map((draft, i) => leadOf(draft, contacts[i], companies[i])),
    isIncoming,
  )
  return leads.map((lead, i) => ({
    lead,
    contact_id: contacts[i] ?? null,
    company_id: companies[i] ?? null,
  }))
}

/**
 * Creates the tags, and then locks the named records of all kinds, as other writers do (R7). The writes of companies,
 * contacts and leads would each lock their own, while the transaction has the locks of those before.
 */
async function lockAhead({ tx, access }: RecordWrite, drafts: ComplexDraft[]): Promise<void> {
  const { account_id } = access.actor
  const named: Pick<RecordReference, 'entity_type' | 'id'>[] = []
  for (const entity_type of ['companies', 'contacts'] as const) {
    const related = drafts.flatMap((draft) => relatedOf(draft, entity_type) ?? [])
    await resolveTags(tx, account_id, entity_type, related)
    for (const { id } of related) if (id !== undefined) named.push({ entity_type, id })
  }
  const leads = drafts.map((draft) => leadOf(draft, undefined, undefined))
  await resolveTags(tx, account_id, 'leads', leads)
  if (named.length > 0) await lockRecords(tx, account_id, named)
}

/** The categories of leads that integrations can put into the incoming stage. */
const categories: readonly (string | undefined)[] = ['forms', 'sip']

/** The places of the leads that go to the incoming stage: those with a category, if their pipeline has that stage. */
async function incomingOf(
  tx: Tx,
  { account_id }: Actor,
  drafts: ComplexDraft[],
  sourceOf: SourceOf,
): Promise<Set<number>> {
  const places = drafts.flatMap(({ _embedded }, i) =>
    categories.includes(_embedded?.metadata?.category) ? [i] : [],
  )
  if (places.length === 0) return new Set()
  const stages = await findStages(tx, account_id)
  const pipelineOf = (i: number) => drafts[i]?.pipeline_id || (sourceOf(i)?.pipeline_id ?? stages.main)
  return new Set(places.filter((i) => stages.unsorted(pipelineOf(i)) !== undefined))
}

type Related = 'companies' | 'contacts'
type IsIncoming = (place: number) => boolean
type Add = (type: 'leads' | Related, records: RecordDraft[], isIncoming: IsIncoming) => Promise<EntityRow[]>

/** Adds the new companies or contacts of the leads. Returns the id for each lead, of a new or an existing record. */
async function addRelated(
  add: Add,
  type: Related,
  leads: ComplexDraft[],
  isIncoming: IsIncoming,
  newOf: (lead: ComplexDraft, i: number) => RecordDraft | null,
): Promise<(number | undefined)[]> {
  const added = leads.flatMap((lead, i) => {
    const draft = newOf(lead, i)
    return draft ? [{ ...draft, request_id: String(i) }] : []
  })
  const rows =
    added.length === 0
      ? []
      : await add(type, added, (i) => isIncoming(Number(added[i]?.request_id))).catch((error) => {
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
