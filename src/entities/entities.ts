/** The door of the slice: leads, contacts, companies, customers and elements of lists, one core for five kinds. */
export {
  type Access,
  insufficientRights,
  loadAccess,
  mayAdd,
  mayDo,
  opensList,
  type RecordRight,
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
export { discardElementsOf } from './element-lists.ts'
export { numberOf, rangeOf } from './filters.ts'
export { visibleRecord } from './link-queries.ts'
export { changeLinks, type LinkChanges } from './links.ts'
export { type ListQuery, listEntities } from './list.ts'
export { findEntities, hasCustomersIn, hasLeadsIn, type StoredEntity } from './queries.ts'
export {
  lockRecords,
  notFound,
  type Place,
  type RecordReference,
  readRecord,
  requireNamed,
  requireRecords,
} from './records.ts'
export { showRecords } from './show.ts'
export { moveToTrash, restore } from './trash.ts'
export { sweepVisits } from './visitors.ts'
export { addEntities, editEntities } from './write.ts'
