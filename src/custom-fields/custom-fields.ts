/** The public API of the slice: fields and their values. */

export { phoneKey, textKey } from './fields/field-keys.ts'
export type { FieldType } from './fields/field-types.ts'
export {
  type Field,
  type FieldEnum,
  type FieldOwner,
  type FieldSet,
  type FieldSettings,
  fieldSetOf,
} from './fields/fields.ts'
export { findFieldNames, findFields, findFileFields } from './fields/queries.ts'
export type { StoredValue } from './fields/value-kinds.ts'
export { serverTime, setFields } from './legacy/legacy.ts'
export { seedFields } from './settings/default-fields.ts'
export { forgetStages } from './settings/deleted-stages.ts'
export { type Erased, type ErasureHooks, eraseBatch, listDueErasures } from './settings/erasures.ts'
export {
  addFields,
  deleteCatalogFields,
  type FieldCollection,
  type FieldHooks,
} from './settings/field-changes.ts'
export { addListFields, completeListFields } from './settings/list-fields.ts'
export { readFieldFilters } from './values/field-filters.ts'
export {
  deleteValuesOfEntities as deleteValuesOf,
  type FieldFilter,
  filteredIds,
  hasKey,
  holdersOfFile,
  keyHolders,
  storedValuesColumn,
} from './values/value-queries.ts'
export { matchesFilter, saveValues, storedValuesOf } from './values/value-store.ts'
export {
  changedFields,
  fieldTexts,
  parseStored,
  requireFilled,
  ShownValues,
  searchTexts,
  showValues,
} from './values/value-views.ts'
export { excessOf } from './values/values-size.ts'
export { valuesText } from './values/values-text.ts'
export { type WebhookField, webhookFields } from './values/webhook-values.ts'
export { readWritten, type StoredValues, WrittenValues, withChanges } from './values/written-values.ts'
