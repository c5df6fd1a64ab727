import { IconSend } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { allDeliveriesOptions } from '../data/deliveries.ts'
import { changed } from '../parts/filters/filter.ts'
import { FilterBar } from '../parts/filters/filter-bar.tsx'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { SpokenCount } from '../parts/texts/spoken-count.tsx'
import classes from './deliveries.module.css'
import { useDeliveryColumns } from './delivery-columns.tsx'
import { useDeliveryFilters } from './delivery-filters.tsx'
import { ReplayButton } from './replay-button.tsx'

const route = getRouteApi('/shell/developers/deliveries')

/** Everything that the account sends: webhooks, messages to chat channels, calls of rules, disable hooks. */
export function DeliveriesPage() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page
      title={t('deliveries.title')}
      lead={t('deliveries.lead')}
      actions={<ReplayButton receiver={search.receiver} />}
    >
      <div className={classes.filters}>
        <FilterBar
          filters={useDeliveryFilters()}
          search={search}
          onChange={(members) => navigate({ search: (now) => changed(now, members), replace: true })}
        />
      </div>
      <Deliveries search={search} />
    </Page>
  )
}

function Deliveries({ search }: { search: Readonly<Record<string, string>> }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(allDeliveriesOptions(search))
  const columns = useDeliveryColumns()
  const rows = query.data?.pages.flatMap(({ deliveries }) => deliveries)
  return (
    <>
      <SpokenCount of={JSON.stringify(search)} count={rows?.length} isComplete={!query.hasNextPage} />
      <Loaded query={{ data: rows, error: query.error, refetch: query.refetch }} rows={8}>
        {(rows) =>
          rows.length === 0 ? (
            <NoDeliveries isFiltered={Object.keys(search).length > 0} />
          ) : (
            <>
              <DataTable
                label={t('deliveries.title')}
                columns={columns}
                rows={rows}
                rowKey={({ id }) => id}
              />
              <LoadMore query={query} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  if (isFiltered) return <p className={classes.quiet}>{t('deliveries.none_so')}</p>
  return (
    <EmptyState icon={IconSend} title={t('deliveries.none')}>
      {t('deliveries.none_text')}
    </EmptyState>
  )
}
