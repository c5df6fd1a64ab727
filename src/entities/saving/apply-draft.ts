import { activeIds } from '../../accounts/accounts.ts'
import { excessOf, readWritten, requireFilled, withChanges } from '../../custom-fields/custom-fields.ts'
import type { EntityRow } from '../../db/tables.ts'
import { type AddFault, notAChoice } from '../../errors.ts'
import { LOST, type Stages, WON } from '../../pipelines/pipelines.ts'
import { amountOf, setAmount } from '../records/amount-types.ts'
import { unnamed } from '../records/blank-record.ts'
import type { RecordDraft } from '../records/draft-schemas.ts'
import type { EntityType } from '../records/entity-types.ts'
import { checkSegments } from '../records/segment-members.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import { applyTags } from '../tags/tags.ts'
import type { References } from './references.ts'

export interface Writing {
  references: References
  /** Unix seconds. */
  now: number
  user_id: number
  /** The caller is a person in the web application, not an integration: some fields are read-only (F2). */
  by_person: boolean
  /** The caller reads whole amounts only: one that is written back keeps its fraction (R24). */
  reads_whole_amounts: boolean
}

/** Columns that are written without conversion, by kind. */
const plainColumns = {
  leads: [],
  contacts: [],
  companies: [],
  customers: ['next_date', 'periodicity'],
  catalog_elements: [],
} as const satisfies Record<EntityType, (keyof EntityRow & keyof RecordDraft)[]>

/** Applies a draft to a working copy, and adds its faults. */
export function applyDraft(
  copy: WorkingCopy,
  draft: RecordDraft,
  writing: Writing,
  addFault: AddFault,
): void {
  const { row } = copy
  const type = row.entity_type as EntityType
  applyPeople(copy, draft, writing, addFault)
  if (draft.created_at !== undefined) row.created_at = draft.created_at
  for (const column of plainColumns[type])
    if (draft[column] !== undefined) Object.assign(row, { [column]: draft[column] })
  if (type === 'contacts') applyPersonName(row, draft)
  else if (isText(draft.name)) row.name = draft.name.trim() ? draft.name : unnamed(type, row.id)
  if (type === 'leads') applyLead(copy, draft, writing, addFault)
  if (type === 'customers') {
    applyAmount(row, 'next_price', draft, writing)
    applyCustomerStage(row, draft, writing.references, addFault)
    checkSegments(draft, writing.references.segments, addFault)
  }
  if (draft.custom_fields_values !== undefined) {
    const { fields } = writing.references
    const changes = readWritten(fields, draft.custom_fields_values, writing, addFault)
    const values = withChanges(copy.values, changes)
    const excess = excessOf(copy.values, values)
    if (excess !== undefined) addFault('TooLong', 'custom_fields_values', excess)
    copy.values = values
  }
  if (writing.by_person && type === 'leads' && hasMoved(copy) && !isArriving(copy))
    requireFilled(
      writing.references.fields,
      copy.values,
      { pipeline_id: row.pipeline_id as number, status_id: row.status_id as number },
      addFault,
    )
  if (writing.by_person && type === 'catalog_elements' && !copy.before)
    requireFilled(writing.references.fields, copy.values, null, addFault)
  applyTags(copy, draft, writing.references, addFault)
}

/** An incoming lead has the values of its form or call. Fields are required when a person accepts it (R12). */
const isArriving = ({ before, row }: WorkingCopy): boolean => !before && row.is_unsorted === 1

const hasMoved = ({ before, row }: WorkingCopy): boolean =>
  before?.status_id !== row.status_id || before?.pipeline_id !== row.pipeline_id

function applyPeople(
  copy: WorkingCopy,
  draft: RecordDraft,
  { references: { members } }: Writing,
  addFault: AddFault,
): void {
  const { responsible_user_id, created_by, updated_by, updated_at } = draft
  if (responsible_user_id !== undefined && responsible_user_id !== copy.row.responsible_user_id) {
    if (members.get(responsible_user_id)?.is_active) copy.row.responsible_user_id = responsible_user_id
    else addFault('NotSupportedChoice', 'responsible_user_id', notAChoice(activeIds(members)))
  }
  // 0 is the system user.
  const isKnown = (id: number) => id === 0 || members.has(id)
  if (created_by !== undefined) {
    if (isKnown(created_by)) copy.row.created_by = created_by
    else addFault('NotSupportedChoice', 'created_by', notAChoice([0, ...activeIds(members)]))
  }
  if (updated_by !== undefined) {
    if (isKnown(updated_by)) copy.updated_by = updated_by
    else addFault('NotSupportedChoice', 'updated_by', notAChoice([0, ...activeIds(members)]))
  }
  if (updated_at !== undefined) copy.updated_at = updated_at
}

/** A name that is null is left out: clients write null for every member that they do not know (V14). */
const isText = (name: string | null | undefined): name is string => typeof name === 'string'

/** A contact's name is composed of its parts if they are given; a name alone becomes the first name. */
function applyPersonName(row: EntityRow, { name, first_name, last_name }: RecordDraft): void {
  if (isText(first_name) || isText(last_name)) {
    row.first_name = first_name ?? row.first_name
    row.last_name = last_name ?? row.last_name
    row.name = name ?? [row.first_name, row.last_name].filter(Boolean).join(' ')
  } else if (isText(name) && name !== row.name) {
    row.name = name
    row.first_name = name
    row.last_name = ''
  }
}

const isClosed = (status_id: number | null): boolean => status_id === WON || status_id === LOST

function applyLead(copy: WorkingCopy, draft: RecordDraft, writing: Writing, addFault: AddFault): void {
  const { row } = copy
  const { references, now } = writing
  applyAmount(row, 'price', draft, writing)
  applyStage(row, draft, references, addFault)
  const wasClosed = copy.before !== null && isClosed(copy.before.status_id)
  if (!isClosed(row.status_id)) row.closed_at = null
  else if (typeof draft.closed_at === 'number') row.closed_at = draft.closed_at
  else if (!wasClosed) row.closed_at = now
  // 0 is no reason: older APIs show none so, and typed clients write it.
  const loss_reason_id = draft.loss_reason_id === 0 ? null : draft.loss_reason_id
  if (loss_reason_id !== undefined && loss_reason_id !== null) {
    // Clients send back what they have read, also the reason that was deleted since.
    if (loss_reason_id !== row.loss_reason_id && !references.loss_reasons.has(loss_reason_id))
      addFault('NotSupportedChoice', 'loss_reason_id', notAChoice(references.loss_reasons))
    else if (row.status_id !== LOST)
      addFault('NotSupportedChoice', 'loss_reason_id', 'Only a lost lead can have a loss reason.')
  }
  if (loss_reason_id !== undefined) row.loss_reason_id = loss_reason_id
  if (row.status_id !== LOST) row.loss_reason_id = null
}

function applyAmount(
  row: EntityRow,
  member: 'price' | 'next_price',
  draft: RecordDraft,
  { reads_whole_amounts }: Writing,
): void {
  if (draft[member] === undefined || (reads_whole_amounts && draft[member] === row[member])) return
  setAmount(row, member, amountOf(draft, member))
}

/**
 * Sets pipeline and stage of a lead. A stage alone implies its pipeline; a pipeline alone means its first stage. The row
 * of a new lead has the pipeline of its source.
 */
function applyStage(row: EntityRow, draft: RecordDraft, { stages }: References, addFault: AddFault): void {
  if (row.is_unsorted === 1 && row.status_id === null) {
    applyIncomingStage(row, draft, stages, addFault)
    return
  }
  // 0 is valid for new leads only (R24).
  const [pipeline_id, status_id] = [draft.pipeline_id || undefined, draft.status_id || undefined]
  // Clients write back the stage that they have read, also that of an incoming lead, which stays incoming (I3).
  if (status_id === row.status_id && (pipeline_id === undefined || pipeline_id === row.pipeline_id)) return
  if (!stages || (pipeline_id === undefined && status_id === undefined && row.status_id !== null)) return
  const isClosing = status_id !== undefined && isClosed(status_id)
  const pipeline =
    pipeline_id ??
    (status_id === undefined || isClosing ? (row.pipeline_id ?? stages.main) : stages.pipelineOf(status_id))
  const first = pipeline === undefined ? undefined : stages.first(pipeline)
  if (pipeline === undefined || first === undefined) {
    if (pipeline_id === undefined) addFault('NotSupportedChoice', 'status_id', notAChoice(stages.choices()))
    else addFault('NotSupportedChoice', 'pipeline_id', notAChoice(stages.pipelines))
  } else if (status_id !== undefined && !isChoice(stages, pipeline, status_id)) {
    addFault('NotSupportedChoice', 'status_id', notAChoice(stages.choices(pipeline)))
  } else {
    const stays = status_id === undefined && pipeline === row.pipeline_id
    // A lead that gets a stage is accepted (I3).
    if (!stays) row.is_unsorted = 0
    row.status_id = status_id ?? (stays ? row.status_id : null) ?? first
    row.pipeline_id = pipeline
  }
}

const isChoice = (stages: Stages, pipeline_id: number, status_id: number): boolean =>
  stages.has(pipeline_id, status_id) && stages.unsorted(pipeline_id) !== status_id

/** Puts a new lead into the incoming stage of its pipeline, of that of its source, or of the main one. */
function applyIncomingStage(
  row: EntityRow,
  draft: RecordDraft,
  stages: Stages | null,
  addFault: AddFault,
): void {
  if (!stages) return
  const pipeline = draft.pipeline_id || (row.pipeline_id ?? stages.main)
  const stage = stages.unsorted(pipeline)
  const open = stages.pipelines.filter((id) => stages.unsorted(id) !== undefined)
  if (stage === undefined) addFault('NotSupportedChoice', 'pipeline_id', notAChoice(open))
  else Object.assign(row, { pipeline_id: pipeline, status_id: stage })
}

function applyCustomerStage(
  row: EntityRow,
  { status_id }: RecordDraft,
  { customer_stages }: References,
  addFault: AddFault,
): void {
  if (!customer_stages) return
  if (!status_id) row.status_id ??= customer_stages.first
  else if (customer_stages.ids.has(status_id)) row.status_id = status_id
  else addFault('NotSupportedChoice', 'status_id', notAChoice(customer_stages.ids))
}
