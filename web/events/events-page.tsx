import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { logHeadOptions, logOptions } from '../data/events.ts'
import { countOf } from '../data/row-lists.ts'
import { changed, type SearchChange } from '../parts/filters/filter.ts'
import { FilterBar } from '../parts/filters/filter-bar.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { usePageTitle } from '../parts/layout/page.tsx'
import { SpokenCount } from '../parts/texts/spoken-count.tsx'
import classes from './log.module.css'
import { LogActions } from './log-actions.tsx'
import { LogChart } from './log-chart.tsx'
import { fittingChange, useLogFilters } from './log-filters.tsx'
import { LogList } from './log-list.tsx'
import { NoEvents } from './no-events.tsx'

const route = getRouteApi('/shell/events')

/** The log of the account, as far as the reader can see it. The filters are in the address. */
export function EventsPage() {
  const { t } = useTranslation()
  usePageTitle(t('events.title'))
  const [isLive, setIsLive] = useState(true)
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const search = useMemo(() => asked(address), [address])
  const query = useInfiniteQuery(logOptions(search))
  useQuery({ ...logHeadOptions(search), enabled: isLive && query.isSuccess })
  const filters = useLogFilters(search)
  const change = (members: SearchChange) =>
    navigate({ search: (now) => changed(now, fittingChange(now, members)), replace: true })
  const clear = () => navigate({ search: {} })
  const isNarrow = Object.keys(search).length > 0
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <h1>{t('events.title')}</h1>
        <FilterBar filters={filters} search={search} onChange={change} />
        <LogActions search={search} isLive={isLive} onLive={setIsLive} />
      </header>
      <LogChart search={search} isLive={isLive} onChange={change} />
      <SpokenCount of={JSON.stringify(search)} count={countOf(query.data)} isComplete={!query.hasNextPage} />
      <Loaded query={query} rows={12} isWide>
        {({ pages }) =>
          pages.every(({ rows }) => rows.length === 0) ? (
            <NoEvents onClear={isNarrow ? clear : undefined} />
          ) : (
            <LogList key={JSON.stringify(search)} query={query} pages={pages} />
          )
        }
      </Loaded>
    </div>
  )
}

/** Keeps only filters: the log has a fixed order. */
const asked = (address: Record<string, string>) =>
  Object.fromEntries(Object.entries(address).filter(([name]) => name.startsWith('filter[')))
