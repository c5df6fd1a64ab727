import {
  type EventGroup,
  eventKindOf,
  impliedType,
  takesFilter,
  type ValueFilter,
} from '../../src/events/event-types.ts'

const ofField = /^custom_field_(\d+)_value_changed$/
/** Returns the custom field in a type filter. It cannot be combined with other types. */
export const fieldIn = (types: string[]): number | undefined => {
  const [, id] = types.map((type) => ofField.exec(type)).find((match) => match !== null) ?? []
  return id === undefined ? undefined : Number(id)
}

/** The table has one row for the changes of all custom fields. */
const typeInTable = (type: string) => (ofField.test(type) ? 'custom_field_value_changed' : type)

export const groupOf = (type: string): EventGroup => eventKindOf(typeInTable(type))?.group ?? 'record'

/** Resolves a changed type filter: a custom field excludes other types. */
export function withoutMisfits(chosen: string[], before: string[]): string[] {
  const added = chosen.find((type) => !before.includes(type))
  if (added && ofField.test(added)) return [added]
  return chosen.filter((type) => type === added || !ofField.test(type))
}

/** Whether a value filter fits the selected types. */
export function fits(name: ValueFilter, types: string[]): boolean {
  if (types.length === 0) return impliedType(name) !== undefined
  const isField = fieldIn(types) !== undefined
  if (name === 'custom_field_values' && !isField) return false
  return types.every((type) => takesFilter(typeInTable(type), name))
}
