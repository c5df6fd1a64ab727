import { createHash, randomBytes } from 'node:crypto'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { lockNames } from '../db/dialect.ts'
import type { EntityRow, IncomingLeadRow } from '../db/tables.ts'
import {
  type Arrived,
  addComplexInside,
  beginWrite,
  type ComplexDraft,
  type Written,
} from '../entities/entities.ts'
import { collectFaults, type Fault, Refusal } from '../errors.ts'
import type { Cause } from '../events/events.ts'
import { nameOfItem } from '../http/bodies/validation.ts'
import { claimCallIds, TAKEN_CALL, writeNotes } from '../notes/notes.ts'
import type { Category, WrittenCategory } from './categories.ts'
import { metadataOf } from './metadata.ts'
import { findHashes, insertIncoming } from './queries.ts'
import type { NewIncomingLead } from './schemas.ts'
import type { RecordIds } from './view.ts'
import { announceIncoming } from './webhook-items.ts'

/** An incoming lead that was added, and its records. */
export interface AddedIncoming {
  row: IncomingLeadRow
  records: RecordIds
}

/** Adds incoming leads with their contacts and companies; all or none. */
export function addIncoming(
  ctx: Context,
  actor: Actor,
  category: WrittenCategory,
  drafts: NewIncomingLead[],
  written: Written,
): Promise<AddedIncoming[]> {
  return ctx.db.transaction().execute((tx) => addIncomingInside(ctx, tx, actor, category, drafts, written))
}

/** Adds incoming leads within the caller's transaction. */
export async function addIncomingInside(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  category: WrittenCategory,
  drafts: NewIncomingLead[],
  written: Written | undefined,
): Promise<AddedIncoming[]> {
  const hashes = drafts.map((draft) =>
    hashOf([category, draft.source_uid, draft.pipeline_id, draft.metadata, draft._embedded]),
  )
  await requireNew(tx, actor.account_id, drafts, hashes)
  const write = await beginWrite(ctx, tx, actor)
  const records = await addComplexInside(write, drafts.map(complexOf), {
    written,
    isIncoming: () => true,
  }).catch((error) => {
    throw renamed(error)
  })
  const now = ctx.now()
  const arrivals = records.map(({ lead }, i): NewArrival => {
    const { source_uid, source_name, metadata } = drafts[i] as NewIncomingLead
    return {
      lead,
      category,
      source_uid,
      source_name,
      metadata: metadataOf(category, metadata, now),
      content_hash: hashes[i] as string,
    }
  })
  const rows = await enterIncoming(ctx, tx, actor, arrivals)
  const calls = records.flatMap(({ lead }, i) => {
    const draft = drafts[i] as NewIncomingLead
    const { metadata } = draft
    return 'is_call_event_needed' in metadata && metadata.is_call_event_needed
      ? [{ lead, row: rows[i] as IncomingLeadRow, request_id: nameOfItem(draft, i) }]
      : []
  })
  await writeCalls(ctx, tx, actor, calls, 'metadata.uniq')
  return records.map(({ lead, contact_id, company_id }, i) => ({
    row: rows[i] as IncomingLeadRow,
    records: {
      contacts: contact_id === null ? [] : [contact_id],
      leads: [lead.id],
      companies: company_id === null ? [] : [company_id],
    },
  }))
}

export interface NewArrival extends Pick<IncomingLeadRow, 'source_uid' | 'source_name' | 'content_hash'> {
  /** A new lead of the incoming stage. */
  lead: EntityRow
  category: Category
  metadata: object
}

/** Keeps where new leads of the incoming stage come from, and announces them. */
export async function enterIncoming(
  ctx: Context,
  tx: Tx,
  actor: Cause,
  arrivals: readonly NewArrival[],
): Promise<IncomingLeadRow[]> {
  const rows = arrivals.map(
    ({ lead, category, source_uid, source_name, metadata, content_hash }): IncomingLeadRow => ({
      account_id: actor.account_id,
      uid: randomBytes(30).toString('hex'),
      lead_id: lead.id,
      category,
      source_uid,
      source_name,
      pipeline_id: lead.pipeline_id as number,
      metadata: JSON.stringify(metadata),
      content_hash,
      state: 'waiting',
      sorted_at: null,
      created_at: lead.created_at,
      updated_at: ctx.now(),
    }),
  )
  await insertIncoming(tx, rows)
  await announceIncoming(ctx, tx, actor, 'add_unsorted', rows)
  return rows
}

/** Keeps the incoming leads of `leads/complex`, whose metadata name the category. */
export const enterArrivals: Arrived = async (ctx, tx, actor, arrivals) => {
  const now = ctx.now()
  const entered = arrivals.map(({ lead, draft }): NewArrival => {
    const { category, ...metadata } = draft._embedded?.metadata ?? {}
    const shown = metadataOf(category as WrittenCategory, metadata, now)
    return {
      lead,
      category: category as WrittenCategory,
      source_uid: null,
      source_name: String(shown.form_name ?? shown.from ?? category),
      metadata: shown,
      content_hash: hashOf([lead.id]),
    }
  })
  const rows = await enterIncoming(ctx, tx, actor, entered)
  const calls = arrivals.flatMap(({ lead, draft, place }, i) =>
    draft._embedded?.metadata?.is_call_event_needed
      ? [{ lead, row: rows[i] as IncomingLeadRow, request_id: nameOfItem(draft, place) }]
      : [],
  )
  await writeCalls(ctx, tx, actor, calls, '_embedded.metadata.uniq')
}

/** A hash of what makes two incoming leads the same one. */
export const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url')

/** Refuses data that wait already, or that one request has twice (I4). */
async function requireNew(
  tx: Tx,
  account_id: number,
  drafts: readonly NewIncomingLead[],
  hashes: readonly string[],
): Promise<void> {
  await lockNames(
    tx,
    hashes.map((hash) => `incoming ${account_id} ${hash}`),
  )
  const known = await findHashes(tx, account_id, hashes)
  const { about, refuse } = collectFaults()
  drafts.forEach((draft, i) => {
    const hash = hashes[i] as string
    if (known.has(hash))
      about(nameOfItem(draft, i))('NotUnique', 'source_uid', 'The same incoming lead is waiting already.')
    known.add(hash)
  })
  refuse()
}

/** A contact can have a number for its name. */
const named = <Model extends { name?: string | number | null | undefined }>(model: Model) => ({
  ...model,
  ...(model.name !== undefined && { name: model.name === null ? null : String(model.name) }),
})

function complexOf({ pipeline_id, created_at, request_id, _embedded }: NewIncomingLead): ComplexDraft {
  const [lead] = _embedded?.leads ?? []
  const { id: _, ...members } = lead ?? {}
  const { tags } = (lead?._embedded ?? {}) as { tags?: unknown }
  const { contacts, companies } = _embedded ?? {}
  return {
    ...named(members),
    ...(created_at !== undefined && { created_at }),
    pipeline_id: pipeline_id || (lead as { pipeline_id?: number } | undefined)?.pipeline_id,
    request_id,
    _embedded: {
      ...(tags !== undefined && { tags }),
      contacts: (contacts ?? []).map(named),
      companies: (companies ?? []).map(named),
    },
  } as ComplexDraft
}

/** Faults of the lead are named where the item has the lead. */
function renamed(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.faults.length === 0) return error
  const isOfItem = (path: string) => path === 'pipeline_id' || /^_embedded\.(contacts|companies)\./.test(path)
  const faults = error.faults.map(
    (fault): Fault => (isOfItem(fault.path) ? fault : { ...fault, path: `_embedded.leads.0.${fault.path}` }),
  )
  return new Refusal(error.reason, error.message, { faults })
}

interface StoredCall {
  from?: string
  phone?: string
  called_at?: number
  duration?: number
  link?: string | null
  service_code?: string
  uniq?: string
  call_responsible?: string | number
}

/** The call of an incoming lead, and the name of its item in the request. */
interface WrittenCall {
  lead: EntityRow
  row: IncomingLeadRow
  request_id: string
}

/** Writes the calls of incoming leads into their cards. Refuses a call that a note has already, at `path` (N9). */
async function writeCalls(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  calls: readonly WrittenCall[],
  path: string,
): Promise<void> {
  const notes = await writeNotes(ctx, tx, actor, calls.map(noteOf))
  const taken = await claimCallIds(tx, notes)
  const { about, refuse } = collectFaults()
  for (const [i, { id }] of notes.entries())
    if (taken.has(id)) about(calls[i]?.request_id ?? '0')('NotUnique', path, TAKEN_CALL)
  refuse()
}

function noteOf({ lead, row }: WrittenCall) {
  const call = JSON.parse(row.metadata) as StoredCall
  const { uniq, link, call_responsible, called_at } = call
  return {
    entity_type: 'leads' as const,
    entity_id: lead.id,
    note_type: 'call_in' as const,
    params: {
      ...(uniq && { uniq: uniq.slice(0, 255) }),
      duration: call.duration ?? 0,
      source: (call.service_code || call.from || row.source_name).slice(0, 255),
      ...(link && { link }),
      phone: (call.phone ?? '').slice(0, 255),
      ...(call_responsible !== undefined && { call_responsible }),
    },
    responsible_user_id: lead.responsible_user_id,
    created_at: called_at,
    updated_at: called_at,
  }
}
