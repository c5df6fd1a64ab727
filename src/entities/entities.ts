/** The public API of the slice: leads, contacts, companies, customers and list elements, one core for five kinds. */

export {
  deleteCatalog,
  findCatalogs,
  insertCatalogs,
  lockCatalog,
  replaceCatalogs,
} from './elements/catalog-queries.ts'
export { discardElementsOf } from './elements/element-lists.ts'
export { recordNames, recordVisibilities, seesAllRecords } from './event-subjects.ts'
export { sendRecords } from './export/export-routes.ts'
export { fileValueConditions } from './files/file-uses.ts'
export { hiddenBeside, lockIncomingLeads, reveal } from './links/incoming.ts'
export { contactsOfLeads } from './links/incoming-queries.ts'
export { type LinkDraft, linkRecords, listLinks, unlinkRecords } from './links/link-list.ts'
export { changeLinks, type LinkChanges } from './links/links.ts'
export type { ListQuery } from './lists/conditions.ts'
export { type NamedStage, readStages } from './lists/filters.ts'
export { listedIds } from './lists/id-queries.ts'
export { listEntities } from './lists/list.ts'
export { elementFilters, listed, totalled, unselective } from './lists/list-parameters.ts'
export { recordTexts, type ShownRecord, showRecord, showRecords } from './lists/show.ts'
export { isLeadInStages } from './lists/stage-queries.ts'
export { linkedRecords, mergeInside } from './merge/merge.ts'
export { findAbsorbed } from './merge/merge-queries.ts'
export { lockSurvivor } from './merge/merge-survivor.ts'
export { noteParents } from './note-parents.ts'
export { listTransactions } from './purchases/transaction-list.ts'
export {
  addTransactions,
  commentTransactions,
  deleteTransactions,
  type TransactionDraft,
} from './purchases/transactions.ts'
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
} from './records/access.ts'
export { setClosestTasks } from './records/closest-tasks.ts'
export type { LeadSources } from './records/lead-sources.ts'
export { embeddedLinks, visibleLinks, visibleRecord } from './records/link-queries.ts'
export { orderNames } from './records/orders.ts'
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
} from './records/queries.ts'
export { beginWrite, type RecordWrite, writeRecords } from './records/record-write.ts'
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
} from './records/records.ts'
export { searchedWords } from './records/search.ts'
export { StageDeleted } from './records/stage-locks.ts'
export { sampleRecord } from './saving/webhook-sample.ts'
export { type ContactDetails, detailKeys, findContactsByDetails } from './search/contact-detail-queries.ts'
export { newestNamed, newestWithKeys } from './search/duplicate-queries.ts'
export { findByPhone } from './search/phone-matches.ts'
export { newestOpenRecords } from './search/phone-queries.ts'
export { refreshSegments } from './segments/segment-filters.ts'
export { eraseTags } from './tags/tag-erasures.ts'
export { TotalsQuery } from './totals/total-routes.ts'
export { Totals, totalsOf } from './totals/totals.ts'
export { type OldRecord, oldMerged, oldTrash, type RecordUses } from './upkeep/old-records.ts'
export { eraseValues } from './upkeep/value-erasures.ts'
export { addComplexInside, type ComplexDraft } from './writing/complex.ts'
export type { Arrived, Merged, RecordHooks, Written } from './writing/hooks.ts'
export { discardInside, moveToTrash, restore, restoreInside } from './writing/trash.ts'
export { addEntities, addInside, editEntities, editInside, editRecord, lockWritten } from './writing/write.ts'
