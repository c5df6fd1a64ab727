/** The public API of the slice: lists and the addresses of their elements. */
export { addCatalogs, hasCatalog } from './lists.ts'
