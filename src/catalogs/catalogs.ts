/** The public API of the slice: lists and the addresses of their elements. */
export {
  addCatalogs,
  changeCatalogs,
  hasCatalog,
  invoicesList,
  listCatalogs,
  removeCatalog,
} from './lists.ts'
