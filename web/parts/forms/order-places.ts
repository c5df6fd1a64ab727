export interface Sorted<Id> {
  id: Id
  sort: number
}

/** The distance between two adjacent items, so that another item fits between them. */
export const STEP = 10

/**
 * The items that need a new place after one was moved to an index: this one alone if there is space between the
 * adjacent items, because the API takes many kinds of items one at a time. Otherwise the items are numbered again. Those that
 * cannot move end at `after`.
 */
export function placesAfterMove<Id>(moved: Sorted<Id>[], index: number, after: number): Sorted<Id>[] {
  const low = moved[index - 1]?.sort ?? after
  const high = moved[index + 1]?.sort ?? low + 2 * STEP
  const sort = Math.floor((low + high) / 2)
  const one = moved[index]
  if (one && sort > low && sort < high) return [{ id: one.id, sort }]
  return places(moved, after).filter((item, i) => item.sort !== moved[i]?.sort)
}

/** All items with places at the usual distance. */
export const places = <Id>(items: Sorted<Id>[], after: number): Sorted<Id>[] =>
  items.map(({ id }, i) => ({ id, sort: after + (i + 1) * STEP }))
