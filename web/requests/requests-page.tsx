import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type LoggedRequest, requestsOptions } from '../data/requests.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { useFormat } from '../parts/format.ts'
import { LoadMore } from '../parts/load-more.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'

/** The requests of integrations and the attempts of the server, the newest first. */
export function RequestsPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(requestsOptions)
  const columns = useColumns()
  return (
    <Page title={t('requests.title')} lead={t('requests.lead')}>
      <Loaded query={query} rows={8}>
        {({ pages }) => (
          <>
            <DataTable
              label={t('requests.title')}
              columns={columns}
              rows={pages.flatMap(({ requests }) => requests)}
              rowKey={({ id }) => id}
            />
            <LoadMore query={query} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function useColumns(): Column<LoggedRequest>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    { title: t('requests.column.time'), cell: ({ at }) => format.clock(at / 1000) },
    { title: t('requests.column.status'), cell: ({ status }) => status ?? '–', narrow: true },
    { title: t('requests.column.method'), cell: ({ method }) => method, narrow: true },
    { title: t('requests.column.path'), cell: ({ path }) => <code>{path}</code>, clip: true },
  ]
}
