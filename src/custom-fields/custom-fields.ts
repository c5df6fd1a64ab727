/** The door of the slice: what the others may use of fields and of their values. */

export { addFields, forgetCatalog, type Home, type Surroundings } from './field-changes.ts'
export { readFieldFilters } from './field-filters.ts'
export { phoneKey, textKey } from './field-keys.ts'
export type { FieldType } from './field-types.ts'
export type { Field, FieldEnum, FieldOwner, FieldSet, FieldSettings } from './fields.ts'
export { furnishFields } from './furnish.ts'
export { serverTime, setFields } from './legacy.ts'
export { findFieldNames, findFields } from './queries.ts'
export type { StoredValue } from './value-kinds.ts'
export { type FieldFilter, filteredIds, keyHolders, storedValuesColumn } from './value-queries.ts'
export { saveValues, storedValuesOf } from './value-store.ts'
export {
  changedFields,
  fieldTexts,
  parseStored,
  requireFilled,
  ShownValues,
  searchTexts,
  showValues,
} from './value-views.ts'
export { readWritten, type StoredValues, WrittenValues, withChanges } from './written-values.ts'
