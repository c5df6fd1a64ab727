import type { Field, FieldEnum } from '../../custom-fields/custom-fields.ts'
import { CellFault, dayIn, flagIn, numberIn, partsOf, secondsIn } from './cells.ts'
import { type ImportLookup, key, type NamedStage } from './import-lookup.ts'
import type { RelatedDraft, RowPlan } from './row-drafts.ts'
import { type CellForm, cellForms, fieldOfTarget } from './targets.ts'

type WireValue = Record<string, unknown>

/** Writes a cell into its target, and returns the parsed value as text. Throws CellFault. */
export function writeCell(plan: RowPlan, target: string, cell: string, lookup: ImportLookup): string {
  const own = ownCells[target]
  if (own) return own(plan, cell, lookup)
  const found = fieldOfTarget(target, lookup.fields)
  if (!found || !lookup.targets.has(target)) throw new CellFault('field_deleted')
  const { field, part } = found
  const [values, text] = readers[cellForms[field.type] as CellForm](cell, field, part, lookup)
  writeField(plan, field, values)
  return text
}

/** Appends the values of a column to those of earlier columns with the same field. */
function writeField({ draft }: RowPlan, { id }: Field, values: WireValue[]): void {
  const entries = draft.custom_fields_values ?? []
  const entry = entries.find(({ field_id }) => field_id === id)
  if (entry) entry.values = [...(entry.values ?? []), ...values]
  else draft.custom_fields_values = [...entries, { field_id: id, values }]
}

type OwnCell = (plan: RowPlan, cell: string, lookup: ImportLookup) => string

const ownCells: Record<string, OwnCell | undefined> = {
  name: member('name'),
  first_name: member('first_name'),
  last_name: member('last_name'),
  price: (plan, cell, { conventions }) => {
    const price = Number(numberIn(cell, conventions))
    if (!(price >= 0 && price <= Number.MAX_SAFE_INTEGER)) throw new CellFault('price_out_of_range')
    Object.assign(plan.draft, { price })
    return String(price)
  },
  pipeline: (plan, cell, { pipelines }) => {
    const [found] = pipelines.get(key(cell)) ?? []
    if (!found) throw new CellFault('no_such_pipeline')
    Object.assign(plan.draft, { pipeline_id: found.id })
    return found.name
  },
  stage: (plan, cell, lookup) => {
    const { pipeline_id, status_id, stage, pipeline } = stageNamed(plan, cell, lookup)
    Object.assign(plan.draft, { pipeline_id, status_id })
    return lookup.hasSeveralPipelines ? `${pipeline}: ${stage}` : stage
  },
  responsible: (plan, cell, { people, peopleNames }) => {
    const id = people.get(key(cell))
    if (id === null) throw new CellFault('several_people')
    if (id === undefined) throw new CellFault('no_such_person')
    plan.draft.responsible_user_id = id
    return peopleNames.get(id) ?? cell
  },
  tags: (plan, cell) => {
    const tags = valuesIn(cell).map(short)
    plan.draft.tags_to_add = [...(plan.draft.tags_to_add ?? []), ...tags.map((name) => ({ name }))]
    return tags.join(', ')
  },
  created_at: (plan, cell, { conventions }) => {
    const at = secondsIn(cell, conventions)
    if (at < 0 || at > 253_402_300_799) throw new CellFault('date_out_of_range')
    plan.draft.created_at = at
    return new Date(at * 1000).toISOString()
  },
  id: (plan, cell) => {
    const id = /^\d{1,15}$/.test(cell) ? Number(cell) : 0
    if (id < 1) throw new CellFault('not_an_id')
    plan.id = id
    return cell
  },
  'contact.name': relatedMember('contact', 'name'),
  'contact.phone': relatedMember('contact', 'phone'),
  'contact.email': relatedMember('contact', 'email'),
  'company.name': relatedMember('company', 'name'),
  'company.phone': relatedMember('company', 'phone'),
}

function member(name: 'name' | 'first_name' | 'last_name'): OwnCell {
  return (plan, cell) => {
    Object.assign(plan.draft, { [name]: short(cell) })
    return cell
  }
}

function relatedMember(who: 'contact' | 'company', member: keyof RelatedDraft): OwnCell {
  return (plan, cell) => {
    plan[who][member] = member === 'name' ? short(cell) : cell.slice(0, 1_024)
    return cell
  }
}

function short(cell: string): string {
  if (cell.length > 255) throw new CellFault('too_long')
  return cell
}

/** The stage with this name in the pipeline of the row or the import, otherwise in the first pipeline that has one. */
function stageNamed({ draft }: RowPlan, cell: string, { stages, settings }: ImportLookup): NamedStage {
  const named = stages.get(key(cell)) ?? []
  const wanted = draft.pipeline_id ?? settings.defaults.pipeline_id
  const found =
    named.find(({ pipeline_id }) => pipeline_id === wanted) ??
    (draft.pipeline_id === undefined ? named[0] : undefined)
  if (!found) throw new CellFault('no_such_stage')
  return found
}

type Reader = (
  cell: string,
  field: Field,
  part: string | null,
  lookup: ImportLookup,
) => [values: WireValue[], text: string]

const readers: Record<CellForm, Reader> = {
  text: (cell) => [[{ value: cell }], cell],
  number: (cell, _field, _part, { conventions }) => {
    const value = numberIn(cell, conventions)
    return [[{ value }], value]
  },
  flag: (cell) => {
    const value = flagIn(cell)
    return [[{ value }], value ? '✓' : '–']
  },
  choice: (cell, field) => {
    const chosen = choiceOf(cell, field)
    return [[{ enum_id: chosen.id }], chosen.value]
  },
  choices: (cell, field) => {
    const whole = choicesByKey(field).get(key(cell))
    const chosen = whole ? [whole] : partsOf(cell).map((part) => choiceOf(part, field))
    return [chosen.map(({ id }) => ({ enum_id: id })), chosen.map(({ value }) => value).join(', ')]
  },
  day: (cell, _field, _part, { conventions }) => {
    const value = dayIn(cell, conventions)
    return [[{ value }], value]
  },
  moment: (cell, _field, _part, { conventions }) => {
    const value = secondsIn(cell, conventions)
    return [[{ value }], new Date(value * 1000).toISOString()]
  },
  labelled: (cell, field, part) => {
    const values = field.type === 'smart_address' ? [cell] : valuesIn(cell)
    return [values.map((value) => ({ value, ...(part !== null && { enum_code: part }) })), values.join(', ')]
  },
  named: (cell) => [[{ value: { name: cell } }], cell],
}

/** The most values that a record can have of one kind; a cell can contain a hundred times as many. */
const MOST_VALUES = 250

function valuesIn(cell: string): string[] {
  const values = partsOf(cell)
  if (values.length > MOST_VALUES) throw new CellFault('too_many_values')
  return values
}

function choiceOf(cell: string, field: Field): FieldEnum {
  const found = field.enumsByValue.get(cell) ?? choicesByKey(field).get(key(cell))
  if (!found) throw new CellFault('no_such_choice')
  return found
}

const choices = new WeakMap<Field['enums'], Map<string, FieldEnum>>()

/** The first choice for each normalised name. A cell can contain thousands of choices. */
function choicesByKey({ enums }: Field): Map<string, FieldEnum> {
  let byKey = choices.get(enums)
  if (!byKey) {
    byKey = new Map(enums.toReversed().map((one) => [key(one.value), one]))
    choices.set(enums, byKey)
  }
  return byKey
}
