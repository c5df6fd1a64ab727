import { Value } from 'typebox/value'
import { phoneKey, textKey } from '../../custom-fields/custom-fields.ts'
import { drafts, type RecordDraft } from '../../entities/records/draft-schemas.ts'
import { CellFault } from './cells.ts'
import type { CsvRow } from './csv-rows.ts'
import type { ImportLookup } from './import-lookup.ts'
import type { MatchKey } from './import-settings.ts'
import type { MappedColumn } from './proposals.ts'
import { type RowErrorReason, type RowFault, rowFault } from './row-error-types.ts'
import { writeCell } from './target-cells.ts'
import { isAddress, warningsOf } from './warnings.ts'

/** A contact or company in a row of another record. */
export interface RelatedDraft {
  name?: string
  phone?: string
  email?: string
}

/** A parsed row. */
export interface RowPlan extends CsvRow {
  id: number | null
  draft: RecordDraft
  contact: RelatedDraft
  company: RelatedDraft
  /** Keys that can match an existing record. */
  keys: Partial<Record<Exclude<MatchKey, 'id'>, string[]>>
  /** The key that matched, and its column. */
  known: { by: MatchKey; column: number | null } | null
  /** The name of a new record without a name. */
  reach: string | null
  /** The parsed values, by target. */
  written: Record<string, string>
  faults: RowFault[]
  /** Suspicious values, which are written nevertheless. */
  warnings: RowFault[]
}

/** Parses a row with the mapping of its import, without database queries. */
export function planRow(row: CsvRow, lookup: ImportLookup): RowPlan {
  const plan: RowPlan = {
    ...row,
    id: null,
    draft: { request_id: String(row.position) },
    contact: {},
    company: {},
    keys: {},
    known: null,
    reach: null,
    written: {},
    faults: [],
    warnings: [],
  }
  for (const { column, target } of inOrder(lookup.settings.mapping)) {
    const cell = row.cells[column] ?? ''
    if (cell === '') continue
    try {
      plan.written[target] = joined(plan.written[target], writeCell(plan, target, cell, lookup))
      plan.warnings.push(...warningsOf(column, target, cell, lookup))
    } catch (error) {
      if (!(error instanceof CellFault)) throw error
      plan.faults.push(rowFault(error.reason, column))
    }
  }
  addTags(plan, lookup)
  checkRow(plan, lookup)
  plan.reach = reachOf(plan, lookup)
  learnKeys(plan, lookup)
  return plan
}

/** The pipeline comes before the stage, because the stage is searched in it. */
const inOrder = (mapping: readonly MappedColumn[]): MappedColumn[] =>
  mapping.toSorted((a, b) => Number(b.target === 'pipeline') - Number(a.target === 'pipeline'))

const joined = (before: string | undefined, text: string): string =>
  before === undefined ? text : `${before}; ${text}`

function addTags({ draft }: RowPlan, { settings }: ImportLookup): void {
  const tags = (settings.defaults.tags ?? []).map((name) => ({ name }))
  if (tags.length > 0) draft.tags_to_add = [...(draft.tags_to_add ?? []), ...tags]
}

/** Adds the faults of the whole row. */
function checkRow({ cells, draft, written, faults }: RowPlan, { type, settings }: ImportLookup): void {
  const fault = (reason: RowErrorReason) => faults.push(rowFault(reason))
  if (cells.slice(settings.columns.length).some(Boolean)) fault('too_many_cells')
  if (faults.length > 0) return
  if (Object.keys(written).length === 0) fault('no_values')
  else if (!Value.Check(drafts[type], draft)) fault('not_allowed')
}

/** The name of a contact without a name: a phone number or e-mail, or null. */
function reachOf({ written }: RowPlan, { fields }: ImportLookup): string | null {
  for (const code of ['PHONE', 'EMAIL', 'WEB']) {
    const id = fields.byCode.get(code)?.id
    const [, text] = Object.entries(written).find(([target]) => target.split('.')[1] === String(id)) ?? []
    if (text !== undefined) return text.slice(0, 255)
  }
  return null
}

function learnKeys(plan: RowPlan, { type, fields }: ImportLookup): void {
  const valuesOf = (code: string): string[] => {
    const field = fields.byCode.get(code)
    const entries = plan.draft.custom_fields_values ?? []
    return entries
      .filter(({ field_id }) => field !== undefined && field_id === field.id)
      .flatMap(({ values }) => (values ?? []).map(({ value }) => String(value)))
  }
  plan.keys = {
    phone: valuesOf('PHONE').flatMap((phone) => phoneKey(phone) ?? []),
    // Otherwise two people with the e-mail `n/a` would match.
    email: valuesOf('EMAIL').filter(isAddress).map(textKey),
    site: valuesOf('WEB').map(textKey),
    name: type === 'companies' && plan.draft.name ? [plan.draft.name] : [],
  }
}
