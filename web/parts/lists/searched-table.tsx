import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { matches, SearchBox } from '../forms/search-box.tsx'
import { SpokenCount } from '../texts/spoken-count.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import classes from './searched-table.module.css'

interface SearchedTableProps<Row> extends DataTableProps<Row> {
  search: string
  /** The texts of a row in which the search looks. */
  texts: (row: Row) => string[]
  /** The number of rows from which the search is shown. */
  searchFrom?: number
}

/** A table of all records of a kind, with a search. */
export function SearchedTable<Row>({
  search,
  texts,
  searchFrom = 0,
  rows,
  ...table
}: SearchedTableProps<Row>) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const found = rows.filter((row) => matches(typed, ...texts(row)))
  return (
    <>
      {rows.length >= searchFrom && (
        <div className={classes.tools}>
          <SearchBox label={search} value={typed} onChange={setTyped} />
        </div>
      )}
      <SpokenCount of={typed} count={found.length} />
      {found.length === 0 ? (
        <p className={classes.nothing}>{t('app.nothing_found', { typed })}</p>
      ) : (
        <DataTable {...table} rows={found} />
      )}
    </>
  )
}
