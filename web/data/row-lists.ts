import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import type { Page } from '../api/lists.ts'
import { queryClient } from './query-client.ts'

/**
 * How a changed row reaches the lists that show it. TanStack Query keeps every list as its pages. The functions below put
 * a row into such a list or take it out, and keep each page that does not change, so that its rows are not drawn again.
 */
export type List<Row> = InfiniteData<Page<Row>, string | undefined>

/** The rows of all pages that were read. */
export const rowsOf = <Row>(list: Pick<List<Row>, 'pages'> | undefined): Row[] =>
  list?.pages.flatMap(({ rows }) => rows) ?? []

/** The number of loaded rows of a list; undefined while it loads. */
export const countOf = (list: { pages: { rows: unknown[] }[] } | undefined): number | undefined =>
  list?.pages.reduce((sum, { rows }) => sum + rows.length, 0)

/** Changes every list below a query key. The result restores the lists as they were. */
export function changeLists<Row>(
  queryKey: QueryKey,
  change: (list: List<Row>, key: QueryKey) => List<Row>,
): () => void {
  const before = queryClient.getQueriesData<List<Row>>({ queryKey })
  for (const [key, list] of before) {
    const after = list && change(list, key)
    if (after !== list) queryClient.setQueryData(key, after)
  }
  return () => {
    for (const [key, list] of before) queryClient.setQueryData(key, list)
  }
}

/** Whether a list is read again when one of its rows has changed. A longer one is read again when it is next opened. */
export const isShort = (list: { pages: readonly unknown[] } | undefined): boolean =>
  (list?.pages.length ?? 0) <= 2

export const mapRows = <Row>(list: List<Row>, change: (row: Row) => Row): List<Row> =>
  mapPages(list, (rows) => {
    const changed = rows.map(change)
    return changed.every((row, i) => row === rows[i]) ? rows : changed
  })

export const withoutRows = <Row>(list: List<Row>, isGone: (row: Row) => boolean): List<Row> =>
  mapPages(list, (rows) => (rows.some(isGone) ? rows.filter((row) => !isGone(row)) : rows))

/** Puts a row before the first row that follows it. A row behind all pages read so far comes with a later page. */
export function insertRow<Row>(list: List<Row>, row: Row, follows: (other: Row) => boolean): List<Row> {
  const isComplete = list.pages.at(-1)?.next === undefined
  const found = list.pages.findIndex(({ rows }) => rows.some(follows))
  if (found === -1 && !isComplete) return list
  const target = list.pages.at(found)
  return mapPages(list, (rows) => {
    if (rows !== target?.rows) return rows
    const at = rows.findIndex(follows)
    return rows.toSpliced(at === -1 ? rows.length : at, 0, row)
  })
}

function mapPages<Row>(list: List<Row>, change: (rows: Row[]) => Row[]): List<Row> {
  const pages = list.pages.map((page) => {
    const rows = change(page.rows)
    return rows === page.rows ? page : { ...page, rows }
  })
  return pages.every((page, i) => page === list.pages[i]) ? list : { ...list, pages }
}

/**
 * Marks the head of a list as read, at the beginning of a read of the list: only a later change, or a later visit, reads the
 * head by itself.
 */
export const beginHead = (queryKey: QueryKey): unknown => queryClient.setQueryData(queryKey, null)

/**
 * Puts the newest page of a list in descending order of ids, read again, into the list. If the two do not meet, the list is
 * read from its beginning. Returns the newest id.
 */
export function putHead<Row extends { id: string }>(queryKey: QueryKey, head: Page<Row>): string | null {
  const list = queryClient.getQueryData<List<Row>>(queryKey)
  const grown = list && withHead(list, head)
  if (grown) queryClient.setQueryData(queryKey, grown)
  else if (list) queryClient.resetQueries({ queryKey, exact: true })
  return head.rows[0]?.id ?? null
}

/** A list with its newest page, read again. Null when the two do not meet. */
export function withHead<Row extends { id: string }>(list: List<Row>, head: Page<Row>): List<Row> | null {
  const newest = rowsOf(list)[0]?.id
  const oldest = head.rows.at(-1)?.id
  if (head.next === undefined) return { pages: [head], pageParams: [undefined] }
  if (newest === undefined || oldest === undefined || oldest > newest) return null
  const fresh = new Map(head.rows.map((row) => [row.id, row]))
  const added = head.rows.filter(({ id }) => id > newest)
  const [first, ...rest] = mapRows(list, (row) => fresh.get(row.id) ?? row).pages
  return {
    ...list,
    pages: [{ next: undefined, ...first, rows: [...added, ...(first?.rows ?? [])] }, ...rest],
  }
}
