import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import { queryClient } from '../data/query-client.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type AnyRecord, type Collection, listOptions, PAGE } from '../data/records.ts'
import { isShort, rowsOf } from '../data/row-lists.ts'
import type { Search, SearchChange } from '../parts/filters/filter.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import type { ListColumn } from '../parts/lists/list-column.ts'
import type { Selection } from '../parts/lists/selection.ts'
import { VirtualList } from '../parts/lists/virtual-list.tsx'
import classes from './list.module.css'
import { useCellWords } from './list-cells.tsx'
import { orderChange, orderOf, useAsked } from './list-search.ts'
import { RowDetails } from './row-details.tsx'

const linked = { contact: 'contacts', company: 'companies' } as const

/** Loads the names of linked records with their page, not row by row while scrolling. */
function useNamesAhead(rows: AnyRecord[], columns: ListColumn<AnyRecord>[]): void {
  const shown = columns.map(({ name }) => name).join()
  useEffect(() => {
    for (const column of ['contact', 'company'] as const) {
      if (!shown.split(',').includes(column)) continue
      const collection = linked[column]
      const last = rows.slice(-PAGE)
      const ids = new Set(last.flatMap(({ _embedded }) => _embedded?.[collection]?.map(({ id }) => id) ?? []))
      for (const id of ids) queryClient.prefetchQuery(briefOptions(collection, id))
    }
  }, [rows, shown])
}

/**
 * Loads the rows page by page. The previous rows stay until the new ones arrive. A long list is only read again after one of
 * its records has changed: see `settleLists`.
 */
export function useRows(collection: Collection, search: Search) {
  const asked = useAsked(collection, search)
  const query = useInfiniteQuery({
    ...listOptions(collection, asked),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: ({ state }) => isShort(state.data),
    refetchOnMount: ({ state }) => state.isInvalidated || isShort(state.data),
  })
  const rows = useMemo(() => rowsOf(query.data), [query.data])
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  return { query, rows, ids }
}

interface RecordListProps {
  label: string
  collection: Collection
  search: Search
  query: UseInfiniteQueryResult<unknown>
  rows: AnyRecord[]
  total: number | undefined
  columns: ListColumn<AnyRecord>[]
  selection: Selection | undefined
  onChange: (change: SearchChange) => void
  /** Shown if there are no rows. */
  empty: ReactNode
}

/** A list of records of one kind, in the selected columns and order. */
export function RecordList(props: RecordListProps) {
  const { label, collection, search, query, rows, total, columns, selection, onChange, empty } = props
  const words = useCellWords(collection)
  useNamesAhead(rows, columns)
  const details = useCallback(
    (record: AnyRecord) => <RowDetails record={record} collection={collection} words={words} />,
    [collection, words],
  )
  if (query.data === undefined || rows.length === 0)
    return (
      <div className={classes.body}>
        <Loaded query={query} rows={8}>
          {() => empty}
        </Loaded>
      </div>
    )
  return (
    <VirtualList
      label={label}
      columns={columns}
      rows={rows}
      of={query.isPlaceholderData ? undefined : JSON.stringify(search)}
      total={total}
      paging={query as never}
      details={details}
      selection={selection}
      order={orderOf(collection, search)}
      onOrder={(order) => onChange(orderChange(search, order))}
    />
  )
}
