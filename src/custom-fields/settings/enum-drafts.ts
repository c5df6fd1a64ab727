import { notAChoice } from '../../errors.ts'
import type { FieldType } from '../fields/field-types.ts'
import { fieldTypes, typeOf } from '../fields/field-types.ts'
import type { FieldEnum } from '../fields/fields.ts'
import type { FieldPatch } from '../fields/schemas.ts'
import type { PushFault } from '../values/written-values.ts'

/** A choice of a field before new choices have ids. */
export interface EnumDraft extends Omit<FieldEnum, 'id'> {
  /** null for a new choice. */
  id: number | null
  /** The index in the list of the new parent choice. */
  parent?: number
}

export const labelDrafts = (labels: readonly string[] = LABELS): EnumDraft[] =>
  labels.map((code, i) => ({ id: null, value: code, sort: i + 1, code }))

type Written = Pick<FieldPatch, 'enums' | 'nested'>

/** The default labels of a field of labels. */
const LABELS = ['WORK', 'PRIV', 'OTHER']

/**
 * Reads the complete list of choices: missing ones are deleted, and those without an id are new. Returns undefined
 * if the body does not specify choices. Faults have paths such as `enums.0.value`.
 */
export function readEnums(
  type: FieldType,
  written: Written,
  current: readonly FieldEnum[] | null,
  fault: PushFault,
): EnumDraft[] | undefined {
  const rule = typeOf(type).enums
  if (rule === null) return undefined
  const name = rule === 'tree' ? 'nested' : 'enums'
  const list = written[name] ?? undefined
  if (list === undefined) {
    if (current) return undefined
    if (rule === 'labels') return labelDrafts()
    fault('FieldMissing', name, 'This field is missing.')
    return undefined
  }
  if (list.length === 0) fault('TooFew', name, 'This collection should contain at least 1 element.')
  const drafts = list.map((entry, i) => readEntry(entry, i, name, current ?? [], fault))
  // Numbers and addresses name their label by its code, so a new label without one has its text as the code.
  if (rule === 'labels') for (const draft of drafts) if (draft.id === null) draft.code ??= draft.value
  refuseDuplicates(drafts, name, fault)
  if (rule === 'tree') resolveParents(list as Tree, drafts, fault)
  return drafts
}

function readEntry(
  entry: Tree[number] & { code?: string | null },
  i: number,
  name: string,
  current: readonly FieldEnum[],
  fault: PushFault,
): EnumDraft {
  // In a new field, ids are read-only and ignored.
  const known = current.find(({ id }) => id === entry.id)
  if (entry.id !== undefined && current.length > 0 && !known)
    fault(
      'NotSupportedChoice',
      `${name}.${i}.id`,
      notAChoice(current, ({ id }) => id),
    )
  const value = entry.value?.trim() ?? known?.value
  if (value === undefined) fault('FieldMissing', `${name}.${i}.value`, 'This field is missing.')
  return {
    id: known?.id ?? null,
    value: value ?? '',
    sort: entry.sort ?? i + 1,
    code: entry.code === undefined ? (known?.code ?? null) : entry.code,
    ...(known?.parent_id && { parent_id: known.parent_id }),
  }
}

/**
 * Choices must be unique, because bodies refer to them by value or code. Categories with different parents can have
 * the same name.
 */
function refuseDuplicates(drafts: EnumDraft[], name: 'enums' | 'nested', fault: PushFault): void {
  const members = name === 'enums' ? (['id', 'value', 'code'] as const) : (['id'] as const)
  for (const member of members) {
    const seen = new Set<unknown>()
    drafts.forEach((draft, i) => {
      const value = draft[member]
      if (value === null || value === '') return
      if (seen.has(value))
        fault('NotUnique', `${name}.${i}.${member}`, 'This collection should contain only unique elements.')
      seen.add(value)
    })
  }
}

type Tree = NonNullable<FieldPatch['nested']>

/** Resolves the parent of each entry. */
function resolveParents(list: Tree, drafts: EnumDraft[], fault: PushFault): void {
  const byId = new Map(drafts.flatMap(({ id }, i) => (id === null ? [] : [[id, i]])))
  const byRequest = new Map(
    list.flatMap(({ request_id }, i) => (request_id === undefined ? [] : [[request_id, i]])),
  )
  list.forEach(({ parent_id, parent_request_id }, i) => {
    const draft = drafts[i] as EnumDraft
    const [name, given] =
      parent_request_id == null
        ? (['parent_id', parent_id === undefined ? draft.parent_id : parent_id] as const)
        : (['parent_request_id', parent_request_id] as const)
    delete draft.parent_id
    if (given == null) return
    const parent = name === 'parent_id' ? byId.get(given as number) : byRequest.get(given)
    if (parent === undefined)
      fault('NotSupportedChoice', `nested.${i}.${name}`, notAChoice(name === 'parent_id' ? byId : byRequest))
    else draft.parent = parent
  })
  const above = (i: number) => drafts[i]?.parent
  drafts.forEach((_, i) => {
    let at = above(i)
    for (let steps = 0; at !== undefined && at !== i && steps < drafts.length; steps++) at = above(at)
    if (at === i) fault('NotSupportedChoice', `nested.${i}.parent_id`, 'This entry is its own ancestor.')
  })
}

/** Gives ids to the new choices; keeps the order. */
export function namedEnums(drafts: readonly EnumDraft[], takeId: () => number): FieldEnum[] {
  const ids = drafts.map(({ id }) => id ?? takeId())
  return drafts.map(({ parent, value, sort, code }, i) => ({
    id: ids[i] as number,
    value,
    sort,
    code,
    ...(parent !== undefined && { parent_id: ids[parent] as number }),
  }))
}

export const newOnes = (drafts: readonly EnumDraft[] | undefined): number =>
  drafts?.filter(({ id }) => id === null).length ?? 0

/**
 * Whether values are the choices themselves, so that deleting a choice deletes its values. Values with a label keep
 * their text when the label is deleted.
 */
export const isChosen = (type: FieldType): boolean => fieldTypes[type].enums !== 'labels'
