/** The public API of the slice: leads, contacts, companies, customers and list elements, one core for five kinds. */
export {
  type Access,
  can,
  canSeeList,
  coversNothing,
  insufficientRights,
  loadAccess,
  type RecordRight,
  requireCanAdd,
  seesAll,
} from './access.ts'
export {
  deleteCatalog,
  findCatalogs,
  insertCatalogs,
  lockCatalog,
  replaceCatalogs,
} from './catalog-queries.ts'
export { setClosestTasks } from './closest-tasks.ts'
export { addComplexInside, type ComplexDraft } from './complex.ts'
export type { ListQuery } from './conditions.ts'
export { type ContactDetails, detailKeys, findContactsByDetails } from './contact-detail-queries.ts'
export { newestNamed, newestWithKeys } from './duplicate-queries.ts'
export { discardElementsOf } from './element-lists.ts'
export { recordNames, recordVisibilities, seesAllRecords } from './event-subjects.ts'
export { sendRecords } from './export-routes.ts'
export { fileValueConditions } from './file-uses.ts'
export type { Arrived, Merged, RecordHooks, Written } from './hooks.ts'
export { listedIds } from './id-queries.ts'
export { hiddenBeside, lockIncomingLead } from './incoming.ts'
export { contactsOfLeads } from './incoming-queries.ts'
export type { LeadSources } from './lead-sources.ts'
export { unlinkRecords } from './link-list.ts'
export { embeddedLinks, visibleLinks, visibleRecord } from './link-queries.ts'
export { changeLinks, type LinkChanges } from './links.ts'
export { listEntities } from './list.ts'
export { elementFilters, listed, totalled, unselective } from './list-parameters.ts'
export { linkedRecords, mergeInside } from './merge.ts'
export { findAbsorbed } from './merge-queries.ts'
export { lockSurvivor } from './merge-survivor.ts'
export { noteParents } from './note-parents.ts'
export { type OldRecord, oldMerged, oldTrash, type RecordUses } from './old-records.ts'
export { orderNames } from './orders.ts'
export { findByPhone } from './phone-matches.ts'
export { newestOpenRecords } from './phone-queries.ts'
export {
  findEntities,
  hasCustomersIn,
  hasLeadsIn,
  incomingMark,
  isInTrash,
  isLiveRecord,
  isVisible,
  recordsWithWord,
  type StoredEntity,
} from './queries.ts'
export {
  findRecord,
  lockNamed,
  lockRecords,
  notFound,
  type Place,
  type RecordReference,
  readRecord,
  requireNamed,
  requireRecords,
} from './records.ts'
export { searchedWords } from './search.ts'
export { refreshSegments } from './segment-filters.ts'
export { recordTexts, type ShownRecord, showRecord, showRecords } from './show.ts'
export { eraseTags } from './tag-erasures.ts'
export { TotalsQuery } from './total-routes.ts'
export { Totals, totalsOf } from './totals.ts'
export { addTransactions } from './transactions.ts'
export { discardInside, moveToTrash, restore, restoreInside } from './trash.ts'
export { eraseValues } from './value-erasures.ts'
export { sampleRecord } from './webhook-sample.ts'
export { addEntities, addInside, editEntities, editInside, editRecord, lockWritten } from './write.ts'
