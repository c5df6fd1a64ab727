import type { Query } from '@tanstack/react-query'
import { isAt, type StagePlace } from './pipelines.ts'
import { queryClient } from './query-client.ts'
import { type AnyRecord, listOptions, recordKeys } from './records.ts'
import { insertRow, isShort, type List, rowsOf, withoutRows } from './row-lists.ts'

type Search = Record<string, string>

const PIPELINE = 'filter[statuses][0][pipeline_id]'
const STATUS = 'filter[statuses][0][status_id]'
const ORDER = 'order[updated_at]'

/** The list of a column of the board. The latest change comes first. `narrowed` has the other filters of the board. */
export const columnOptions = (narrowed: Search, place: StagePlace) =>
  listOptions('leads', {
    ...narrowed,
    [PIPELINE]: String(place.pipeline_id),
    [STATUS]: String(place.status_id),
    [ORDER]: 'desc',
  })

/** Whether a list is a column: the list of one stage in the order of columns. `placeInColumns` keeps columns current. */
export const isColumn = (search: Search): boolean =>
  search[STATUS] !== undefined &&
  search[ORDER] === 'desc' &&
  !Object.keys(search).some((name) => name.startsWith('filter[statuses][1]'))

/**
 * Puts leads into the columns of their stages and takes them out of the others, so that no column is read again when a
 * lead changes its stage. `ids` without a record are deleted leads. A read in progress may return the state before the
 * change, so its column gets the leads again when it ends. Only the server can say whether a lead that was not on a
 * narrowed board now belongs to it, so that column is read again.
 */
export function placeInColumns(records: AnyRecord[], ids: readonly number[]): void {
  const outdated = allColumns().filter(
    ({ query, board, list }) => query.state.fetchStatus === 'fetching' && (board === WHOLE || !list),
  )
  place(records, ids)
  for (const { query } of outdated)
    query.fetch().then(
      () => place(records, ids, query),
      // A failed read shows no leads, and is repeated.
      () => {},
    )
}

/** Ends when a visible column has been read. */
export async function columnRead(narrowed: Search, at: StagePlace): Promise<void> {
  const { queryKey } = columnOptions(narrowed, at)
  const query = queryClient.getQueryCache().find({ queryKey, exact: true })
  if (query?.state.data === undefined && query?.getObserversCount()) await query.fetch().catch(() => {})
}

interface Column {
  query: Query
  place: StagePlace
  /** The filters besides the stage. All columns of a board have the same. */
  board: string
  /** Undefined while it loads for the first time. */
  list: List<AnyRecord> | undefined
}
type ReadColumn = Column & { list: List<AnyRecord> }

/** A board without filters. */
const WHOLE = '{}'

function allColumns(): Column[] {
  const lists = queryClient.getQueryCache().findAll({ queryKey: recordKeys.lists('leads') })
  return lists.flatMap((query) => {
    const search = query.queryKey[2] as Search
    if (!isColumn(search)) return []
    const { [PIPELINE]: pipeline, [STATUS]: status, [ORDER]: _, ...rest } = search
    return {
      query,
      place: { pipeline_id: Number(pipeline), status_id: Number(status) },
      board: JSON.stringify(rest),
      list: query.state.data as List<AnyRecord> | undefined,
    }
  })
}

/** Places leads in all columns, or in one only. */
function place(records: AnyRecord[], ids: readonly number[], only?: Query): void {
  const columns = allColumns().filter((column): column is ReadColumn => column.list !== undefined)
  const newer = newerIn(columns, records)
  const named = new Set(ids.filter((id) => !newer.has(id)))
  const isNamed = ({ id }: AnyRecord) => named.has(id)
  const boards = Map.groupBy(columns, ({ board }) => board)
  for (const { query, list, board, place: at } of columns) {
    if (only && query !== only) continue
    const isOnBoard = ({ id }: AnyRecord) =>
      board === WHOLE || boards.get(board)?.some((column) => rowsOf(column.list).some((row) => row.id === id))
    const coming = records.filter((record) => isNamed(record) && isAt(record, at))
    const rest = withoutRows(list, isNamed)
    const after = coming.filter(isOnBoard).reduce(insertLead, rest)
    if (after !== list) queryClient.setQueryData(query.queryKey, after)
    if (board !== WHOLE && (coming.length > 0 || rest !== list))
      queryClient.invalidateQueries({
        queryKey: query.queryKey,
        exact: true,
        refetchType: isShort(list) ? 'active' : 'none',
      })
  }
}

const insertLead = (list: List<AnyRecord>, lead: AnyRecord) =>
  insertRow(
    list,
    lead,
    ({ id, updated_at }) => updated_at < lead.updated_at || (updated_at === lead.updated_at && id < lead.id),
  )

/** The ids of the records that a column has in a later state. */
function newerIn(columns: ReadColumn[], records: AnyRecord[]): Set<number> {
  const times = new Map(records.map(({ id, updated_at }) => [id, updated_at]))
  const newer = columns
    .flatMap(({ list }) => rowsOf(list))
    .filter(({ id, updated_at }) => updated_at > (times.get(id) ?? Infinity))
  return new Set(newer.map(({ id }) => id))
}
