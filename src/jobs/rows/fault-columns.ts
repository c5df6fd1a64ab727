import type { ImportLookup } from './import-lookup.ts'
import type { RowPlan } from './row-drafts.ts'
import { fieldOfTarget } from './targets.ts'

/** The targets that write a member of a draft under another name. */
const targets: Record<string, string> = {
  responsible_user_id: 'responsible',
  pipeline_id: 'pipeline',
  status_id: 'stage',
  tags_to_add: 'tags',
}

/** The column whose cell became the value at this path of a draft; null if there is none, or if it can be one of several. */
export function columnOf({ draft, cells }: RowPlan, path: string, lookup: ImportLookup): number | null {
  const [member = '', place] = path.split('.')
  const { fields, settings } = lookup
  const field_id =
    member === 'custom_fields_values' ? draft.custom_fields_values?.[Number(place)]?.field_id : undefined
  const isOf = (target: string): boolean =>
    field_id === undefined
      ? target === (targets[member] ?? member)
      : fieldOfTarget(target, fields)?.field.id === field_id
  const [only, ...others] = settings.mapping.filter(({ column, target }) => cells[column] && isOf(target))
  return only && others.length === 0 ? only.column : null
}
