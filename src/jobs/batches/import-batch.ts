import { addInside, can, editInside, lockRecords, type RecordWrite } from '../../entities/entities.ts'
import type { RecordDraft, RecordPatch } from '../../entities/records/draft-schemas.ts'
import type { EntityType } from '../../entities/records/entity-types.ts'
import { forEachFairly } from '../../fair-turns.ts'
import type { CsvRow } from '../rows/csv-rows.ts'
import { columnOf } from '../rows/fault-columns.ts'
import type { ImportLookup } from '../rows/import-lookup.ts'
import { withoutRejected } from '../rows/rejected-rows.ts'
import { planRow, type RowPlan } from '../rows/row-drafts.ts'
import { type RowFault, rowFault } from '../rows/row-error-types.ts'
import { matchRows } from './matches.ts'
import type { Outcome } from './outcomes.ts'
import {
  addRelatedRecords,
  findRelatedRecords,
  type KnownRecords,
  type RelatedRecords,
} from './related-records.ts'
import { changeBetween, snapshotsOf } from './snapshots.ts'

/** A batch while it is written. */
interface Batch extends RecordWrite {
  lookup: ImportLookup
}

/** A row with its outcome. */
export interface DoneRow {
  plan: RowPlan
  outcome: Outcome
}

/**
 * Writes rows of an import in the caller's transaction, through the public APIs of the records, and returns the outcome
 * of each. A rejected row does not stop the others. Two rows with the same record are written one after the other, so
 * the second finds the record of the first.
 */
export async function writeRows(
  write: RecordWrite,
  rows: readonly CsvRow[],
  lookup: ImportLookup,
): Promise<DoneRow[]> {
  const batch: Batch = { ...write, lookup }
  const plans: RowPlan[] = []
  await forEachFairly(rows, (row) => plans.push(planRow(row, lookup)))
  const done = new Map<number, Outcome>()
  let left = plans.filter(({ faults }) => faults.length === 0)
  while (left.length > 0) left = await writeWave(batch, left, done)
  return plans.map((plan) => ({
    plan,
    outcome: done.get(plan.position) ?? { outcome: 'failed', entity_id: null, faults: plan.faults },
  }))
}

/** Writes rows with different records and returns the others. */
async function writeWave(batch: Batch, plans: RowPlan[], done: Map<number, Outcome>): Promise<RowPlan[]> {
  const { tx, access, lookup } = batch
  const { action } = lookup.settings.duplicates
  const [wave, later] = action === 'add' ? [plans, []] : splitByPhone(plans)
  const matches = await matchRows(tx, access, wave, lookup)
  const [sound, next] = onceEach(
    wave.filter(({ faults }) => faults.length === 0),
    matches,
  )
  for (const plan of action === 'skip' ? sound : []) {
    const id = matches.get(plan.position)
    if (id !== undefined)
      done.set(plan.position, { outcome: 'skipped', entity_id: id, faults: [thereAlready(plan)] })
  }
  const open = sound.filter(({ position }) => !done.has(position))
  const related = await findRelatedRecords(tx, access, open, lookup.type)
  const editable = await keepEditable(batch, open, matches, related)
  await write(batch, keepNamed(editable, matches, lookup), matches, related, done)
  return [...next, ...later]
}

/** A row with the phone number of an earlier row waits for that row. */
function splitByPhone(plans: RowPlan[]): [wave: RowPlan[], later: RowPlan[]] {
  const seen = new Set<string>()
  const wave: RowPlan[] = []
  const later: RowPlan[] = []
  for (const plan of plans) {
    const keys = Object.entries(plan.keys).flatMap(([by, own]) =>
      own.map((key) => `${by} ${key.toLowerCase()}`),
    )
    if (keys.some((key) => seen.has(key))) later.push(plan)
    else wave.push(plan)
    for (const key of keys) seen.add(key)
  }
  return [wave, later]
}

/** Separates rows that match the same record by different keys. */
function onceEach(plans: RowPlan[], matches: Map<number, number>): [once: RowPlan[], again: RowPlan[]] {
  const taken = new Set<number>()
  const again = plans.filter(({ position }) => {
    const id = matches.get(position)
    if (id === undefined || !taken.has(id)) return id !== undefined && !taken.add(id)
    return true
  })
  return [plans.filter((plan) => !again.includes(plan)), again]
}

/** Locks all records that rows name, in the order of all writers, and rejects rows whose record this person cannot change. */
async function keepEditable(
  { tx, access, lookup }: Batch,
  plans: RowPlan[],
  matches: Map<number, number>,
  { contacts, companies }: KnownRecords,
): Promise<RowPlan[]> {
  const reference = (entity_type: EntityType) => (id: number) => ({ entity_type, id })
  const rows = await lockRecords(tx, access.actor.account_id, [
    ...plans.flatMap(({ position }) => matches.get(position) ?? []).map(reference(lookup.type)),
    ...[...companies.values()].map(reference('companies')),
    ...[...contacts.values()].map(reference('contacts')),
  ])
  return plans.filter((plan) => {
    const id = matches.get(plan.position)
    const row = id === undefined ? undefined : rows.get(id)
    if (!row || can(access, 'edit', row)) return true
    plan.faults.push(rowFault('cannot_change'))
    return false
  })
}

/** Rejects new records without a name, except leads, which get one. */
function keepNamed(plans: RowPlan[], matches: Map<number, number>, { type }: ImportLookup): RowPlan[] {
  if (type === 'leads') return plans
  return plans.filter(({ position, draft, reach, faults }) => {
    if (matches.has(position) || draft.name || draft.first_name || draft.last_name) return true
    if (reach !== null) Object.assign(draft, { name: reach })
    else faults.push(rowFault('no_name'))
    return reach !== null
  })
}

const thereAlready = ({ known }: RowPlan): RowFault => rowFault(`same_${known?.by ?? 'id'}`, known?.column)

async function write(
  batch: Batch,
  plans: RowPlan[],
  matches: Map<number, number>,
  existing: KnownRecords,
  done: Map<number, Outcome>,
): Promise<void> {
  const { tx, access, lookup } = batch
  const { type } = lookup
  const known = plans.flatMap(({ position }) => matches.get(position) ?? [])
  const before = await snapshotsOf(tx, access, type, known)
  let related: RelatedRecords[] = []
  const written = new Map<number, number>()
  let isFirst = true
  const attempt = async (some: readonly RowPlan[]) => {
    // A later attempt finds what an earlier one has added.
    const found = isFirst ? existing : await findRelatedRecords(tx, access, some, type)
    isFirst = false
    const named = await addRelatedRecords(batch, some, type, found)
    const fresh = some.filter(({ position }) => !matches.has(position))
    const edited = some.filter(({ position }) => matches.has(position))
    const drafts = fresh.map((plan) => withDefaults(linked(plan, named), lookup))
    const rows = fresh.length > 0 ? await addInside(batch, type, drafts) : []
    const patches = edited.map(
      (plan): RecordPatch => ({ ...linked(plan, named), id: matches.get(plan.position) as number }),
    )
    if (edited.length > 0) await editInside(batch, type, patches, 'item')
    for (const [i, { position }] of fresh.entries()) written.set(position, (rows[i] as { id: number }).id)
    related = [...related, named]
  }
  const refused = await withoutRejected(tx, plans, attempt, (plan, path) => columnOf(plan, path, lookup))
  const after = await snapshotsOf(tx, access, type, known)
  for (const plan of plans) {
    const { position, warnings } = plan
    const faults = refused.get(position)
    const made = related.flatMap((one) => one.made.get(position) ?? [])
    const id = matches.get(position)
    if (faults) plan.faults.push(...faults)
    else if (id === undefined)
      done.set(position, {
        outcome: 'added',
        entity_id: written.get(position) as number,
        made,
        faults: warnings,
      })
    else {
      const change = changeBetween(before.get(id) ?? {}, after.get(id) ?? {})
      const isChanged = change !== null || made.length > 0
      const outcome = isChanged ? 'changed' : 'skipped'
      const said = isChanged ? warnings : [rowFault('same_values')]
      done.set(position, { outcome, entity_id: id, ...(change && { change }), made, faults: said })
    }
  }
}

/** The draft with its related records. */
function linked({ draft, position }: RowPlan, { contacts, companies }: RelatedRecords): RecordDraft {
  const [contact, company] = [contacts.get(position), companies.get(position)]
  if (contact === undefined && company === undefined) return draft
  return {
    ...draft,
    _embedded: {
      ...(contact !== undefined && { contacts: [{ id: contact, is_main: true }] }),
      ...(company !== undefined && { companies: [{ id: company }] }),
    },
  }
}

/** Fills in the defaults of a new record. */
function withDefaults(draft: RecordDraft, { type, settings }: ImportLookup): RecordDraft {
  const { responsible_user_id, pipeline_id, status_id } = settings.defaults
  const hasStage = draft.pipeline_id !== undefined || draft.status_id !== undefined
  return {
    ...(responsible_user_id !== undefined && { responsible_user_id }),
    ...(type === 'leads' && !hasStage && pipeline_id !== undefined && { pipeline_id }),
    ...(type === 'leads' && !hasStage && status_id !== undefined && { status_id }),
    ...draft,
  }
}
