/** The public API of the slice: fields and their values. */

export { seedFields } from './default-fields.ts'
export { forgetStages } from './deleted-stages.ts'
export { type Erased, type ErasureHooks, eraseBatch, listDueErasures } from './erasures.ts'
export { addFields, deleteCatalogFields, type FieldCollection, type FieldHooks } from './field-changes.ts'
export { readFieldFilters } from './field-filters.ts'
export { phoneKey, textKey } from './field-keys.ts'
export type { FieldType } from './field-types.ts'
export {
  type Field,
  type FieldEnum,
  type FieldOwner,
  type FieldSet,
  type FieldSettings,
  fieldSetOf,
} from './fields.ts'
export { serverTime, setFields } from './legacy.ts'
export { addListFields, completeListFields } from './list-fields.ts'
export { findFieldNames, findFields, findFileFields } from './queries.ts'
export type { StoredValue } from './value-kinds.ts'
export {
  deleteValuesOfEntities as deleteValuesOf,
  type FieldFilter,
  filteredIds,
  hasKey,
  holdersOfFile,
  keyHolders,
  storedValuesColumn,
} from './value-queries.ts'
export { matchesFilter, saveValues, storedValuesOf } from './value-store.ts'
export {
  changedFields,
  fieldTexts,
  parseStored,
  requireFilled,
  ShownValues,
  searchTexts,
  showValues,
} from './value-views.ts'
export { valuesText } from './values-text.ts'
export { type WebhookField, webhookFields } from './webhook-values.ts'
export { readWritten, type StoredValues, WrittenValues, withChanges } from './written-values.ts'
