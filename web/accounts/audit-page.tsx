import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { areaNames } from '../../src/accounts/audit/audit-types.ts'
import { auditOptions } from '../data/audit.ts'
import { colleaguesOptions } from '../data/colleagues.ts'
import { changed, type Filter, useFilterWords } from '../parts/filters/filter.ts'
import { FilterBar } from '../parts/filters/filter-bar.tsx'
import { choiceFilter } from '../parts/filters/filter-choices.tsx'
import { useIntegrationChoices } from '../parts/filters/use-integration-choices.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { SpokenCount } from '../parts/texts/spoken-count.tsx'
import classes from './audit.module.css'
import { AuditList } from './audit-list.tsx'

const route = getRouteApi('/shell/settings/audit')

/** The audit log of the account: settings, people, integrations and keys. Changes to records are events. */
export function AuditPage() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filters = useAuditFilters()
  const query = useInfiniteQuery(auditOptions(search))
  const isNarrowed = filters.some(({ owns }) => Object.keys(search).some(owns))
  return (
    <Page title={t('audit.title')} lead={t('audit.lead')}>
      <div className={classes.filters}>
        <FilterBar
          filters={filters}
          search={search}
          onChange={(change) => navigate({ search: changed(search, change), replace: true })}
        />
      </div>
      <SpokenCount
        of={JSON.stringify(search)}
        count={query.data?.pages.flatMap(({ entries }) => entries).length}
        isComplete={!query.hasNextPage}
      />
      <Loaded query={query} rows={8}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          return entries.length > 0 ? (
            <>
              <AuditList entries={entries} />
              <LoadMore query={query} />
            </>
          ) : (
            <EmptyState icon={IconHistory} title={t(isNarrowed ? 'audit.none_title' : 'audit.empty_title')}>
              {t(isNarrowed ? 'audit.none_text' : 'audit.empty_text')}
            </EmptyState>
          )
        }}
      </Loaded>
    </Page>
  )
}

function useAuditFilters(): Filter[] {
  const words = useFilterWords()
  const { t } = words
  const { data = [] } = useQuery(colleaguesOptions)
  const integrations = useIntegrationChoices()
  return [
    choiceFilter(words, {
      name: 'person',
      title: t('audit.person'),
      member: 'filter[user_id]',
      choices: [
        ...data.map(({ id, name }) => ({ value: String(id), label: name })),
        { value: '0', label: [t('log.nobody'), t('app.nobody')].join(' / ') },
      ],
      isSingle: true,
    }),
    ...(integrations.length > 0
      ? [
          choiceFilter(words, {
            name: 'integration',
            title: t('audit.integration'),
            member: 'filter[integration]',
            choices: integrations,
            isSingle: true,
          }),
        ]
      : []),
    choiceFilter(words, {
      name: 'area',
      title: t('audit.area'),
      member: 'filter[area]',
      choices: areaNames.map((area) => ({ value: area, label: t(`audit.areas.${area}`) })),
      isSingle: true,
    }),
  ]
}
