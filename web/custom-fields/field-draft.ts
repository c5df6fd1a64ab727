import { type TypeSetting, typeOf } from '../../src/custom-fields/fields/field-types.ts'
import type { FieldPatch } from '../data/field-changes.ts'
import type { CustomField } from '../data/fields.ts'
import type { StagePlace } from '../data/pipelines.ts'
import { type Collection, wordOf } from '../data/records.ts'

/** An option of a field in the form. New options have negative ids. */
export interface Choice {
  id: number
  name: string
  code: string | null
  parent_id: number | null
}

/** The values of the field form. */
export interface FieldDraft extends Record<string, unknown> {
  name: string
  type: CustomField['type']
  group_id: string | null
  code: string
  choices: Choice[]
  required_statuses: StagePlace[]
  hidden_statuses: StagePlace[]
  is_api_only: boolean
  is_required: boolean
  is_visible: boolean
  remind: CustomField['remind']
  currency: string
  lists: string[]
  search_in: string | null
  tracking_callback: string
}

/** The values of a new field. */
export const blank = (group_id: string | null): FieldDraft => ({
  name: '',
  type: 'text',
  group_id,
  code: '',
  choices: [],
  required_statuses: [],
  hidden_statuses: [],
  is_api_only: false,
  is_required: false,
  is_visible: true,
  remind: null,
  currency: '',
  lists: [],
  search_in: null,
  tracking_callback: '',
})

export const draftOf = (field: CustomField): FieldDraft => ({
  name: field.name,
  type: field.type,
  group_id: field.group_id ?? null,
  code: field.code ?? '',
  choices: choicesOf(field),
  required_statuses: field.required_statuses ?? [],
  hidden_statuses: field.hidden_statuses ?? [],
  is_api_only: field.is_api_only,
  is_required: field.is_required ?? false,
  is_visible: field.is_visible ?? true,
  remind: field.remind,
  currency: field.currency ?? '',
  lists: (field.chained_lists ?? []).map(({ catalog_id }) => String(catalog_id)),
  search_in: field.search_in ?? null,
  tracking_callback: field.tracking_callback ?? '',
})

const bySort = (a: { sort: number }, b: { sort: number }) => a.sort - b.sort

export const choicesOf = ({ enums, nested }: CustomField): Choice[] =>
  nested
    ? nested.toSorted(bySort).map(({ id, value, parent_id }) => ({ id, name: value, code: null, parent_id }))
    : (enums ?? [])
        .toSorted(bySort)
        .map(({ id, value, code }) => ({ id, name: value, code, parent_id: null }))

/** The account can only change these properties of a service's field. */
const arranged = ['group_id', 'required_statuses', 'hidden_statuses'] as const

/** Returns the API properties that a draft changes; a new field includes all. */
export function patchOf(
  collection: Collection,
  draft: FieldDraft,
  before: CustomField | undefined,
): FieldPatch {
  const after = written(collection, draft)
  if (!before) return after
  const now = written(collection, draftOf(before))
  const isOfService = before.origin !== null
  const differing = Object.entries(after).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(now[name as keyof FieldPatch]) &&
      (!isOfService || (arranged as readonly string[]).includes(name)),
  )
  return Object.fromEntries(differing)
}

function written(collection: Collection, draft: FieldDraft): FieldPatch {
  const kind = wordOf(collection)
  const { enums, setting } = typeOf(draft.type)
  return {
    name: draft.name.trim(),
    code: draft.code.trim() || null,
    is_api_only: draft.is_api_only,
    ...(enums === 'tree' && { nested: treeOf(draft.choices) }),
    ...(enums && enums !== 'tree' && draft.choices.length > 0 && { enums: enumsOf(draft.choices) }),
    group_id: draft.group_id,
    ...(kind === 'elements' && { is_required: draft.is_required, is_visible: draft.is_visible }),
    ...(kind === 'leads' && {
      required_statuses: draft.required_statuses,
      hidden_statuses: draft.hidden_statuses,
    }),
    ...(setting && settings[setting](draft)),
  }
}

const settings: Record<TypeSetting, (draft: FieldDraft) => FieldPatch> = {
  remind: ({ remind }) => ({ remind }),
  currency: ({ currency }) => (currency ? { currency } : {}),
  chained_lists: ({ lists }) => ({ chained_lists: chainOf(lists) }),
  search_in: ({ search_in }) => ({ search_in }),
  tracking_callback: (draft) => ({ tracking_callback: draft.tracking_callback.trim() || null }),
}

const named = (choices: Choice[]) => choices.filter(({ name }) => name.trim() !== '')

const enumsOf = (choices: Choice[]): NonNullable<FieldPatch['enums']> =>
  named(choices).map(({ id, name, code }, i) => ({
    ...(id > 0 && { id }),
    value: name.trim(),
    sort: i + 1,
    ...(code !== null && { code }),
  }))

/** New entries send their temporary id, so that their children can refer to them. */
const treeOf = (choices: Choice[]): NonNullable<FieldPatch['nested']> =>
  named(choices).map(({ id, name, parent_id }, i) => ({
    ...(id > 0 ? { id } : { request_id: String(id) }),
    value: name.trim(),
    sort: i + 1,
    ...(parent_id !== null && parent_id < 0 ? { parent_request_id: String(parent_id) } : { parent_id }),
  }))

/** Each list narrows the next one. */
const chainOf = (lists: string[]): NonNullable<FieldPatch['chained_lists']> =>
  lists.map((catalog_id, i) => ({
    catalog_id: Number(catalog_id),
    parent_catalog_id: i === 0 ? null : Number(lists[i - 1]),
  }))
