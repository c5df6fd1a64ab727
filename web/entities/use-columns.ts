import { useLocalStorage } from '@mantine/hooks'
import { useMemo } from 'react'
import type { AnyRecord, Collection } from '../data/records.ts'
import type { Search, SearchChange } from '../parts/filters/filter.ts'
import type { ListColumn } from '../parts/lists/list-column.ts'
import { useListColumns } from './list-columns.tsx'

export interface ColumnChoice {
  shown: ListColumn<AnyRecord>[]
  /** For the menu: all columns except the name, visible ones first. */
  offered: { name: string; title: string }[]
  chosen: string[]
  choose: (names: string[] | undefined) => void
}

/**
 * Returns the columns of a list. The address comes first, so that a link shows everyone the same list; then the
 * last choice in this browser.
 */
export function useColumns(
  collection: Collection,
  search: Search,
  onChange: (change: SearchChange) => void,
): ColumnChoice {
  const { first, offered, usual } = useListColumns(collection)
  const [kept, keep] = useLocalStorage<string | null>({
    key: `patchbay-columns-${collection}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const written = search.columns ?? kept
  return useMemo(() => {
    const asked = written === null ? usual : written.split(',')
    const chosen = asked.flatMap((name) => offered.find((column) => column.name === name) ?? [])
    const others = offered.filter((column) => !chosen.includes(column))
    return {
      shown: [first, ...chosen],
      offered: [...chosen, ...others],
      chosen: chosen.map(({ name }) => name),
      choose: (names) => {
        keep(names?.join(',') ?? null)
        onChange({ columns: names?.join(',') })
      },
    }
  }, [written, first, offered, usual, keep, onChange])
}
