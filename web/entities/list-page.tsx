import { useDisclosure } from '@mantine/hooks'
import type { Icon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem } from '../api/problem.ts'
import { NewRecordDialog } from '../custom-fields/new-record.tsx'
import { accountOptions } from '../data/accounts.ts'
import type { Collection } from '../data/records.ts'
import { isCounted, type Totals, totalsOptions } from '../data/totals.ts'
import type { Search } from '../parts/filters/filter.ts'
import { FilterBar } from '../parts/filters/filter-bar.tsx'
import { SavedViews } from '../parts/filters/saved-views.tsx'
import { FullPage } from '../parts/layout/full-page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { ColumnMenu } from '../parts/lists/column-menu.tsx'
import { useSelection } from '../parts/lists/selection.ts'
import { useFormat } from '../parts/texts/format.ts'
import { SpokenCount } from '../parts/texts/spoken-count.tsx'
import { useRight } from '../shell/use-session.ts'
import { BulkBar } from './bulk-bar.tsx'
import classes from './list.module.css'
import { ListActions } from './list-actions.tsx'
import { useListFilters } from './list-filters.ts'
import { narrowing, useSetSearch } from './list-search.ts'
import { NoRecords } from './no-records.tsx'
import { RecordList, useRows } from './record-list.tsx'
import { useColumns } from './use-columns.ts'

interface ListPageProps {
  collection: Collection
  title: string
  /** The icon of the empty list. */
  icon: Icon
  /** The list that the saved views belong to. */
  page: string
  /** The search parameters of the page. */
  search: Search
  /** Rendered before the filters. */
  beforeFilters?: ReactNode
  /** Rendered among the actions. */
  actions?: ReactNode
  /** Another display of the same records instead of the list. */
  instead?: ReactNode
  /** Extra filters of that display; null while they are unknown. */
  within?: Record<string, string> | null
  /** Only integrations can add items to this list. */
  isClosed?: boolean
}

const forbidden = new Problem(403, { type: '#forbidden' })

/** A list of records, or a notice for people without permission to see it. */
export function ListPage(props: ListPageProps) {
  const canSee = useRight(props.collection, 'view')
  if (canSee) return <OpenList {...props} />
  return (
    <FullPage title={props.title}>
      <div className={classes.body}>
        <ProblemCallout error={forbidden} />
      </div>
    </FullPage>
  )
}

/** The list with its filters, order, views and bulk changes. */
function OpenList(props: ListPageProps) {
  const { collection, title, page, search, actions, instead, within = {}, isClosed = false } = props
  const set = useSetSearch(search)
  const narrowed = narrowing(search)
  const { data: totals } = useQuery({
    ...totalsOptions(collection, { ...narrowed, ...within }),
    enabled: within !== null,
  })
  const canAdd = useRight(collection, 'add') && !isClosed
  const [adding, { open, close }] = useDisclosure()
  const onAdd = canAdd ? open : undefined
  const bars = { ...props, narrowed, totals, set, onAdd }
  return (
    <FullPage
      title={title}
      count={totals && isCounted(totals) && <Count {...totals} />}
      views={<SavedViews page={page} search={search} />}
      actions={
        <ListActions
          collection={collection}
          search={{ ...search, ...within }}
          onChange={set}
          onAdd={onAdd}
          canImport={canAdd}
        >
          {actions}
        </ListActions>
      }
    >
      <SpokenCount
        of={JSON.stringify([collection, narrowed, within])}
        count={totals?.total}
        isComplete={totals?.is_complete}
      />
      {instead ? <Instead {...bars} /> : <List {...bars} />}
      <NewRecordDialog collection={collection} opened={adding} onClose={close} />
    </FullPage>
  )
}

function Count({ total, sum, is_complete }: Totals) {
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  return (
    <>
      {format.count(total, is_complete)}
      {sum > 0 && is_complete && account && (
        <span className={classes.sum}>· {format.money(sum, account.currency)}</span>
      )}
    </>
  )
}

interface BodyProps extends ListPageProps {
  narrowed: Record<string, string>
  totals: Totals | undefined
  set: ReturnType<typeof useSetSearch>
  onAdd: (() => void) | undefined
}

function Instead({ collection, icon, search, narrowed, totals, set, beforeFilters, instead }: BodyProps) {
  // A pipeline filter does not make the list "filtered": an empty pipeline is shown as empty.
  const filters = Object.keys(narrowed).filter((name) => !name.startsWith('filter[pipeline_id]'))
  const clear = () => set(Object.fromEntries(filters.map((name) => [name, undefined])))
  return (
    <>
      <div className={classes.bar}>
        {beforeFilters}
        <div className={classes.fill}>
          <FilterBar filters={useListFilters(collection, search)} search={search} onChange={set} />
        </div>
      </div>
      {totals?.is_complete && totals.total === 0 && filters.length > 0 ? (
        <NoRecords collection={collection} icon={icon} onAdd={undefined} onClear={clear} />
      ) : (
        instead
      )}
    </>
  )
}

function List({ collection, title, icon, search, narrowed, totals, set, onAdd, beforeFilters }: BodyProps) {
  const { query, rows, ids } = useRows(collection, search)
  const columns = useColumns(collection, search, set)
  const selection = useSelection(`${collection} ${JSON.stringify(narrowed)}`, ids, totals?.total)
  const canChoose = useCanChoose(collection)
  const filters = useListFilters(collection, search)
  const clear = () => set(Object.fromEntries(Object.keys(narrowed).map((name) => [name, undefined])))
  return (
    <>
      <div className={classes.bar}>
        {canChoose && selection.count > 0 ? (
          <BulkBar collection={collection} narrowed={narrowed} totals={totals} selection={selection} />
        ) : (
          <>
            {beforeFilters}
            <div className={classes.fill}>
              <FilterBar filters={filters} search={search} onChange={set} />
            </div>
            <div className={classes.columns}>
              <ColumnMenu offered={columns.offered} chosen={columns.chosen} onChoose={columns.choose} />
            </div>
          </>
        )}
      </div>
      <RecordList
        label={title}
        collection={collection}
        search={search}
        query={query}
        rows={rows}
        total={totals?.total}
        columns={columns.shown}
        selection={canChoose ? selection : undefined}
        onChange={set}
        empty={
          <NoRecords
            collection={collection}
            icon={icon}
            onAdd={onAdd}
            onClear={Object.keys(narrowed).length > 0 ? clear : undefined}
          />
        }
      />
    </>
  )
}

/** Whether the person can do anything with selected rows. */
function useCanChoose(collection: Collection): boolean {
  const canEdit = useRight(collection, 'edit')
  const canDelete = useRight(collection, 'delete')
  const canExport = useRight(collection, 'export')
  return canEdit || canDelete || canExport
}
