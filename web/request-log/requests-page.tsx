import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RequestSearch } from '../data/developer-filters.ts'
import { newRequestsOptions, requestsOptions } from '../data/requests.ts'
import { countOf } from '../data/row-lists.ts'
import { changed, type SearchChange } from '../parts/filters/filter.ts'
import { FilterBar } from '../parts/filters/filter-bar.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { usePageTitle } from '../parts/layout/page.tsx'
import { LiveList } from '../parts/lists/live-list.tsx'
import { LiveSwitch } from '../parts/lists/live-switch.tsx'
import { SpokenCount } from '../parts/texts/spoken-count.tsx'
import { NoRequests } from './no-requests.tsx'
import { useRequestFilters } from './request-filters.tsx'
import { RequestRow } from './request-row.tsx'
import classes from './requests.module.css'

const route = getRouteApi('/shell/developers/requests')

/** The requests of integrations and the attempts of the server, live. The filters are in the address. */
export function RequestsPage() {
  const { t } = useTranslation()
  usePageTitle(t('requests.title'))
  const [isLive, setIsLive] = useState(true)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (members: SearchChange) =>
    navigate({ search: (now) => changed(now, members), replace: true })
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <h1>{t('requests.title')}</h1>
        <FilterBar filters={useRequestFilters()} search={search} onChange={change} />
        <LiveSwitch isLive={isLive} onLive={setIsLive} label={t('requests.live')} />
      </header>
      <Requests
        search={search}
        isLive={isLive}
        onClear={Object.keys(search).length > 0 ? () => navigate({ search: {} }) : undefined}
      />
    </div>
  )
}

interface RequestsProps {
  search: RequestSearch
  isLive: boolean
  onClear: (() => void) | undefined
}

function Requests({ search, isLive, onClear }: RequestsProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(requestsOptions(search))
  useQuery({ ...newRequestsOptions(search), enabled: isLive && query.isSuccess })
  return (
    <>
      <SpokenCount of={JSON.stringify(search)} count={countOf(query.data)} isComplete={!query.hasNextPage} />
      <Loaded query={query} rows={12} isWide>
        {({ pages }) =>
          pages.every(({ rows }) => rows.length === 0) ? (
            <NoRequests onClear={onClear} />
          ) : (
            <LiveList
              key={JSON.stringify(search)}
              label={t('requests.list')}
              query={query}
              pages={pages}
              keyOf={({ id }) => String(id)}
              timeOf={({ at }) => at / 1000}
              end={t('requests.end')}
              newer={(count) => t('requests.newer', { count })}
            >
              {(request) => <RequestRow request={request} />}
            </LiveList>
          )
        }
      </Loaded>
    </>
  )
}
