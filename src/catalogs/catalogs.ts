/** The door of the slice: lists, and the addresses of their elements. */
export { hasCatalog } from './lists.ts'
