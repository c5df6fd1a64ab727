import type { InfiniteData } from '@tanstack/react-query'
import { isColumn, placeInColumns } from './columns.ts'
import { queryClient } from './query-client.ts'
import {
  type AnyRecord,
  type Collection,
  type RecordPage,
  readRecords,
  recordKeys,
  recordsIn,
  wordOf,
} from './records.ts'

type List = InfiniteData<RecordPage, string | undefined>

/** More pages than these are not read again for a row that may have come or gone. */
const FEW_PAGES = 2

/**
 * Puts what was read of a record into every list that shows it, so that a change is seen at once. Whether it still
 * belongs there, only the server can say (`settleLists`).
 */
export function keepInLists(collection: Collection, record: AnyRecord): void {
  changeLists(collection, (records) =>
    records.some(({ id }) => id === record.id)
      ? records.map((one) => (one.id === record.id ? { ...one, ...record } : one))
      : records,
  )
}

function changeLists(collection: Collection, change: (records: AnyRecord[]) => AnyRecord[]): void {
  queryClient.setQueriesData<List>({ queryKey: recordKeys.lists(collection) }, (list) => {
    if (!list) return list
    const pages = list.pages.map((page) => {
      const records = recordsIn(collection, page)
      const changed = change(records)
      return changed === records ? page : { ...page, _embedded: { [wordOf(collection)]: changed } }
    })
    return { ...list, pages }
  })
}

/** Short lists are read again, long ones when they are next opened; sums always. `isKept` names lists that stay. */
export function settleLists(
  collection: Collection,
  isKept?: (search: Record<string, string>) => boolean,
): void {
  queryClient.invalidateQueries({ queryKey: recordKeys.totals(collection) })
  for (const query of queryClient.getQueryCache().findAll({ queryKey: recordKeys.lists(collection) })) {
    if (isKept?.(query.queryKey[2] as Record<string, string>)) continue
    const isShort = ((query.state.data as List | undefined)?.pages.length ?? 0) <= FEW_PAGES
    queryClient.invalidateQueries({
      queryKey: query.queryKey,
      exact: true,
      refetchType: isShort ? 'active' : 'none',
    })
  }
}

/** Reads records of which something was heard, wherever they are shown. */
export async function readChanged(collection: Collection, ids: number[]): Promise<void> {
  for (const id of ids) queryClient.invalidateQueries({ queryKey: [...recordKeys.one(collection), id] })
  const isListed = queryClient
    .getQueryCache()
    .findAll({ queryKey: recordKeys.lists(collection), type: 'active' })
  const records = isListed.length > 0 ? await readRecords(collection, ids) : undefined
  for (const record of records ?? []) keepInLists(collection, record)
  // The columns of the board are kept by the stages of their leads, without being read anew.
  if (records && collection === 'leads') placeInColumns(records, ids)
  settleLists(collection, records && collection === 'leads' ? isColumn : undefined)
}
