import { isColumn, placeInColumns } from './columns.ts'
import { queryClient } from './query-client.ts'
import { type AnyRecord, type Collection, readRecords, recordKeys } from './records.ts'
import { changeLists, isShort, type List, mapRows } from './row-lists.ts'

/** Updates a record in the lists that have it. Only the server knows whether it still belongs to them. */
export const showRecord = (collection: Collection, record: AnyRecord): unknown =>
  changeLists<AnyRecord>(recordKeys.lists(collection), (list) =>
    mapRows(list, (one) => (one.id === record.id ? { ...one, ...record } : one)),
  )

/**
 * Reads short lists of a collection again at once, long lists when they are next opened, and totals in any case.
 * `isKept` names lists that are already right.
 */
export function settleLists(
  collection: Collection,
  isKept?: (search: Record<string, string>) => boolean,
): void {
  queryClient.invalidateQueries({ queryKey: recordKeys.totals(collection) })
  // Search results, and the customers of a segment, are read again when they are next shown.
  for (const queryKey of [['search'], ...(collection === 'customers' ? [['segments']] : [])])
    queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
  for (const query of queryClient.getQueryCache().findAll({ queryKey: recordKeys.lists(collection) })) {
    if (isKept?.(query.queryKey[2] as Record<string, string>)) continue
    queryClient.invalidateQueries({
      queryKey: query.queryKey,
      exact: true,
      refetchType: isShort(query.state.data as List<AnyRecord> | undefined) ? 'active' : 'none',
    })
  }
}

/** More changed records than this are read with their lists. */
const MANY = 100

/** Reads changed records again everywhere. Many, or records that cannot be read, are read with their lists. */
export async function readChanged(collection: Collection, ids: number[]): Promise<void> {
  try {
    if (ids.length > MANY) readAll(collection)
    else await readEach(collection, ids)
  } catch {
    readAll(collection)
  }
}

function readAll(collection: Collection): void {
  for (const keyOf of [recordKeys.one, recordKeys.lists, recordKeys.totals])
    queryClient.invalidateQueries({ queryKey: keyOf(collection) })
}

async function readEach(collection: Collection, ids: number[]): Promise<void> {
  for (const id of ids) queryClient.invalidateQueries({ queryKey: [...recordKeys.one(collection), id] })
  const shown = queryClient
    .getQueryCache()
    .findAll({ queryKey: recordKeys.lists(collection), type: 'active' })
  const records = shown.length > 0 ? await readRecords(collection, ids) : undefined
  for (const record of records ?? []) showRecord(collection, record)
  const isBoard = records !== undefined && collection === 'leads'
  if (isBoard) placeInColumns(records, ids)
  settleLists(collection, isBoard ? isColumn : undefined)
}
