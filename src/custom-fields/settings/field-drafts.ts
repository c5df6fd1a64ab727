import type { CustomFieldRow } from '../../db/tables.ts'
import { notAChoice } from '../../errors.ts'
import { fieldTypeNames, typeOf } from '../fields/field-types.ts'
import type { Field, FieldOwner, FieldSet, FieldSettings } from '../fields/fields.ts'
import type { FieldPatch, NewField } from '../fields/schemas.ts'
import type { PushFault } from '../values/written-values.ts'
import { type EnumDraft, readEnums } from './enum-drafts.ts'

/** The context in which a draft is validated. */
export interface DraftContext {
  owner: FieldOwner
  /** Codes of the owner's fields after the preceding items of the batch. */
  codes: Map<string, number | null>
  groups: Set<string>
  /** The stages of a pipeline; empty for an unknown pipeline. */
  stagesOf(pipeline_id: number): readonly number[]
  /** The account's currency. */
  currency: string
}

const everyOwner: FieldOwner[] = ['leads', 'contacts', 'companies', 'customers', 'segments', 'catalogs']
const records: FieldOwner[] = ['leads', 'contacts', 'companies', 'customers']

/** Settings by name: the owners of the fields that have them, and their defaults. */
const settingsTable: {
  [Name in keyof FieldSettings]-?: { owners: FieldOwner[]; default: FieldSettings[Name] }
} = {
  required_statuses: { owners: records, default: [] },
  hidden_statuses: { owners: records, default: [] },
  is_required: { owners: ['catalogs'], default: false },
  is_visible: { owners: ['catalogs'], default: true },
  remind: { owners: everyOwner, default: null },
  currency: { owners: everyOwner, default: null },
  tracking_callback: { owners: everyOwner, default: null },
  chained_lists: { owners: everyOwner, default: null },
  search_in: { owners: ['catalogs'], default: null },
  settings: { owners: ['catalogs'], default: null },
}
const settingNames = Object.keys(settingsTable) as (keyof FieldSettings)[]
/** Settings of some types; all types have the others. */
const typeSettings = new Set<keyof FieldSettings | undefined>(
  fieldTypeNames.map((type) => typeOf(type).setting),
)

/** A setting, or its default if it is not stored. */
export function settingOf<Name extends keyof FieldSettings>(
  { settings }: Pick<Field, 'settings'>,
  name: Name,
): NonNullable<FieldSettings[Name]> | Extract<FieldSettings[Name], null> {
  return (settings[name] ?? settingsTable[name].default) as never
}

/** The settings after a draft: only those that the field can have and that differ from the default. */
function mergedSettings(
  field: Pick<Field, 'type' | 'settings'>,
  owner: FieldOwner,
  draft: FieldPatch,
): FieldSettings {
  const merged: Record<string, unknown> = { ...field.settings }
  for (const name of settingNames) {
    const isOfType = !typeSettings.has(name) || typeOf(field.type).setting === name
    if (!settingsTable[name].owners.includes(owner) || !isOfType) continue
    if (draft[name] === null) delete merged[name]
    else if (draft[name] !== undefined) merged[name] = draft[name]
  }
  return merged
}

/** The result of a draft, before ids are assigned. */
export interface Drafted {
  row: Omit<CustomFieldRow, 'id' | 'enums' | 'created_at' | 'updated_at'>
  /** undefined: unchanged. */
  enums: EnumDraft[] | undefined
}

/** Validates a new field. If faults are pushed, the result is not usable. */
export function draftField(
  account_id: number,
  catalog_id: number | null,
  draft: NewField,
  context: DraftContext,
  fault: PushFault,
): Drafted {
  const { owner } = context
  if (!typeOf(draft.type).owners.includes(owner))
    fault(
      'NotSupportedChoice',
      'type',
      notAChoice(fieldTypeNames.filter((type) => typeOf(type).owners.includes(owner))),
    )
  judge(draft, null, context, fault)
  return {
    row: {
      account_id,
      entity_type: owner,
      catalog_id,
      group_id: groupOf(draft.group_id ?? null),
      type: draft.type,
      name: draft.name,
      code: draft.code ?? null,
      sort: draft.sort ?? 500,
      is_api_only: draft.is_api_only ? 1 : 0,
      is_predefined: 0,
      is_deletable: 1,
      is_disabled: 0,
      origin: null,
      settings: JSON.stringify(
        mergedSettings({ type: draft.type, settings: {} }, owner, { currency: context.currency, ...draft }),
      ),
    },
    enums: readEnums(draft.type, draft, null, fault),
  }
}

/** Applies a patch to an existing field. */
export function redraftField(
  field: Field,
  patch: FieldPatch,
  context: DraftContext,
  fault: PushFault,
): Drafted {
  if (patch.type !== undefined && patch.type !== field.type)
    fault('NotSupportedChoice', 'type', `The type of a field cannot be changed. It is ${field.type}.`)
  if (field.is_predefined && patch.code !== undefined && patch.code !== field.code)
    fault('NotSupportedChoice', 'code', `The code of this field cannot be changed. It is ${field.code}.`)
  judge(patch, field, context, fault)
  return {
    row: {
      account_id: field.account_id,
      entity_type: field.entity_type,
      catalog_id: field.catalog_id,
      group_id: patch.group_id === undefined ? field.group_id : groupOf(patch.group_id),
      type: field.type,
      name: patch.name ?? field.name,
      code: patch.code === undefined ? field.code : patch.code,
      sort: patch.sort ?? field.sort,
      is_api_only: (patch.is_api_only ?? field.is_api_only) ? 1 : 0,
      is_predefined: field.is_predefined ? 1 : 0,
      is_deletable: field.is_deletable ? 1 : 0,
      is_disabled: field.is_disabled ? 1 : 0,
      origin: field.origin,
      settings: JSON.stringify(mergedSettings(field, field.entity_type, patch)),
    },
    enums: readEnums(field.type, patch, field.enums, fault),
  }
}

/** Fields of the default group have no group id. */
const groupOf = (id: string | null): string | null => (id === 'default' ? null : id)

function judge(draft: FieldPatch, field: Field | null, context: DraftContext, fault: PushFault): void {
  const { codes, groups, stagesOf } = context
  if (draft.group_id != null && groupOf(draft.group_id) !== null && !groups.has(draft.group_id))
    fault('NotSupportedChoice', 'group_id', notAChoice(new Set(['default', ...groups])))
  for (const name of ['required_statuses', 'hidden_statuses'] as const)
    draft[name]?.forEach(({ pipeline_id, status_id }, i) => {
      const stages = stagesOf(pipeline_id)
      if (stages.length === 0)
        fault('NotSupportedChoice', `${name}.${i}.pipeline_id`, 'Pipeline not found in this account.')
      else if (!stages.includes(status_id))
        fault('NotSupportedChoice', `${name}.${i}.status_id`, notAChoice(stages))
    })
  if (draft.code === undefined) return
  if (field?.code != null && codes.get(field.code) === field.id) codes.delete(field.code)
  if (draft.code === null) return
  if (codes.has(draft.code)) fault('NotUnique', 'code', 'Another field has this code.')
  codes.set(draft.code, field?.id ?? null)
}

export const codesOf = ({ byCode }: FieldSet): Map<string, number | null> =>
  new Map([...byCode].map(([code, { id }]) => [code, id]))
