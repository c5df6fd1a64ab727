import type { InfiniteData, Query } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { type AnyRecord, listOptions, type RecordPage, recordKeys, recordsIn } from './records.ts'

/** A stage as a lead names it: that of a closed lead has the same id in every pipeline. */
export interface Place {
  pipeline_id: number
  status_id: number
}

type Search = Record<string, string>
type List = InfiniteData<RecordPage, string | undefined>

const PIPELINE = 'filter[statuses][0][pipeline_id]'
const STATUS = 'filter[statuses][0][status_id]'
const ORDER = 'order[updated_at]'

/** The list of a column of the board: what changed last stands first. `narrowed` is what else is asked of its leads. */
export const columnOptions = (narrowed: Search, place: Place) =>
  listOptions('leads', {
    ...narrowed,
    [PIPELINE]: String(place.pipeline_id),
    [STATUS]: String(place.status_id),
    [ORDER]: 'desc',
  })

/** Whether a list is that of one stage, in the order of columns: then `placeInColumns` keeps it. */
export const isColumn = (search: Search): boolean =>
  search[STATUS] !== undefined &&
  search[ORDER] === 'desc' &&
  !Object.keys(search).some((name) => name.startsWith('filter[statuses][1]'))

interface Column {
  query: Query
  search: Search
  place: Place
  /** What is asked of its leads beside the stage: columns of one board have it in common. */
  board: string
  /** Undefined until its first read is answered. */
  list: List | undefined
}
type ReadColumn = Column & { list: List }

/**
 * Puts leads into the columns of their stages and takes them out of the others, so that no column has to be read anew
 * for a lead that went from one to the next. `ids` without a record are gone. A read that is under way may be answered
 * with the state before that, so its column gets the leads once more when it ends. Whether a lead that no column of a
 * narrowed board had belongs to it, only the server can say: that column is read again.
 */
export function placeInColumns(records: AnyRecord[], ids: readonly number[]): void {
  const outdated = allColumns().filter(
    ({ query, board, list }) => query.state.fetchStatus === 'fetching' && (board === WHOLE || !list),
  )
  place(records, ids)
  for (const { query } of outdated)
    query.fetch().then(
      () => place(records, ids, query),
      // A read that failed shows no leads, and is repeated.
      () => {},
    )
}

/** Places leads in all columns, or in one only. */
function place(records: AnyRecord[], ids: readonly number[], only?: Query): void {
  const columns = allColumns().filter((column): column is ReadColumn => column.list !== undefined)
  const newer = newerOf(columns, records)
  const named = new Set(ids.filter((id) => !newer.has(id)))
  const held = new Map(columns.map(({ list, query }) => [query, among(list, named)]))
  const onBoard = Map.groupBy(columns, ({ board }) => board)
  for (const column of only ? columns.filter(({ query }) => query === only) : columns) {
    const here = held.get(column.query) as Set<number>
    const known = new Set(onBoard.get(column.board)?.flatMap(({ query }) => [...(held.get(query) ?? [])]))
    const coming = records.filter(
      ({ id, pipeline_id, status_id }) => named.has(id) && isSame(column.place, { pipeline_id, status_id }),
    )
    const isWhole = column.board === WHOLE
    const mine = coming.filter(({ id }) => isWhole || known.has(id))
    if (here.size > 0 || mine.length > 0) put(column, named, mine)
    if (!isWhole && (coming.length > 0 || here.size > 0)) readAgain(column)
  }
}

/** The ids of records of which a column has a later state. */
function newerOf(columns: ReadColumn[], records: AnyRecord[]): Set<number> {
  const times = new Map(records.map(({ id, updated_at }) => [id, updated_at]))
  const shown = columns.flatMap(({ list }) => list.pages.flatMap((page) => recordsIn('leads', page)))
  return new Set(
    shown.flatMap(({ id, updated_at }) => (updated_at > (times.get(id) ?? Infinity) ? [id] : [])),
  )
}

/** Ends when a column that is shown has been read. */
export async function columnRead(narrowed: Search, place: Place): Promise<void> {
  const { queryKey } = columnOptions(narrowed, place)
  const query = queryClient.getQueryCache().find({ queryKey, exact: true })
  if (query?.state.data === undefined && query?.getObserversCount()) await query.fetch().catch(() => {})
}

/** A board that nothing narrows. */
const WHOLE = '{}'
/** A column of more pages is not read again while it is being looked at. */
const FEW_PAGES = 2

const isSame = (one: Place, other: Partial<Place>) =>
  one.pipeline_id === other.pipeline_id && one.status_id === other.status_id

function allColumns(): Column[] {
  return queryClient
    .getQueryCache()
    .findAll({ queryKey: recordKeys.lists('leads') })
    .flatMap((query) => {
      const search = query.queryKey[2] as Search
      if (!isColumn(search)) return []
      const { [PIPELINE]: pipeline, [STATUS]: status, [ORDER]: _, ...rest } = search
      const place = { pipeline_id: Number(pipeline), status_id: Number(status) }
      return [
        { query, search, place, board: JSON.stringify(rest), list: query.state.data as List | undefined },
      ]
    })
}

const among = (list: List, ids: ReadonlySet<number>) =>
  new Set(
    list.pages.flatMap((page) => recordsIn('leads', page).flatMap(({ id }) => (ids.has(id) ? [id] : []))),
  )

function put({ search, list }: ReadColumn, gone: ReadonlySet<number>, coming: AnyRecord[]): void {
  const pages = list.pages.map((page) => recordsIn('leads', page).filter(({ id }) => !gone.has(id)))
  for (const record of coming) insert(pages, record, list.pages.at(-1)?._links.next === undefined)
  queryClient.setQueryData<List>([...recordKeys.lists('leads'), search], {
    ...list,
    pages: list.pages.map((page, i) => ({ ...page, _embedded: { leads: pages[i] ?? [] } })),
  })
}

/** Where its time puts it; what would come after everything that was read comes with a later page. */
function insert(pages: AnyRecord[][], record: AnyRecord, isWhole: boolean): void {
  const isAfter = (one: AnyRecord) =>
    one.updated_at < record.updated_at || (one.updated_at === record.updated_at && one.id < record.id)
  for (const page of pages) {
    const at = page.findIndex(isAfter)
    if (at >= 0) {
      page.splice(at, 0, record)
      return
    }
  }
  if (isWhole) pages.at(-1)?.push(record)
}

function readAgain({ search, list }: ReadColumn): void {
  queryClient.invalidateQueries({
    queryKey: [...recordKeys.lists('leads'), search],
    exact: true,
    refetchType: list.pages.length <= FEW_PAGES ? 'active' : 'none',
  })
}
