import { Button } from '@mantine/core'
import { IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Catalog, catalogsOptions } from '../data/catalogs.ts'
import { elementsOf } from '../data/records.ts'
import { totalsOptions } from '../data/totals.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { FullPage } from '../parts/layout/full-page.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { RelativeTime } from '../parts/texts/relative-time.tsx'
import { useIsAdministrator } from '../shell/use-session.ts'
import classes from './catalogs.module.css'

/** The lists of the account, with the number of their items. */
export function ListsPage() {
  const { t } = useTranslation()
  const query = useQuery(catalogsOptions)
  const format = useFormat()
  const hasSome = (query.data?.length ?? 0) > 0
  const columns = useColumns(query.data?.some(({ type }) => type !== 'regular') ?? false)
  return (
    <FullPage
      title={t('nav.lists')}
      count={query.data && format.number(query.data.length)}
      actions={hasSome && <Settings />}
    >
      <div className={classes.lists}>
        <Loaded query={query}>
          {(catalogs) =>
            catalogs.length === 0 ? (
              <EmptyState icon={IconList} title={t('lists.empty')} action={<Settings />}>
                {t('lists.empty_text')}
              </EmptyState>
            ) : (
              <DataTable
                label={t('nav.lists')}
                columns={columns}
                rows={catalogs.toSorted((a, b) => a.sort - b.sort)}
                rowKey={({ id }) => id}
              />
            )
          }
        </Loaded>
      </div>
    </FullPage>
  )
}

function Settings() {
  const { t } = useTranslation()
  return useIsAdministrator() ? (
    <Button component={Link} to="/settings/lists" variant="default">
      {t('lists.settings')}
    </Button>
  ) : null
}

const kinds = ['regular', 'invoices', 'products', 'suppliers'] as const

/** The type column is hidden if all lists are regular. */
function useColumns(hasKinds: boolean): Column<Catalog>[] {
  const { t } = useTranslation()
  const kind: Column<Catalog> = {
    title: t('lists.list'),
    showFrom: 'medium',
    cell: ({ type }) => t(`lists.kind.${kinds.find((one) => one === type) ?? 'regular'}`),
  }
  return [
    {
      title: t('field.name'),
      cell: ({ id, name }) => (
        <Link
          to="/lists/$catalogId"
          params={{ catalogId: String(id) }}
          className={classes.listName}
          title={name}
          data-row-link
        >
          {name}
        </Link>
      ),
    },
    ...(hasKinds ? [kind] : []),
    { title: t('lists.elements'), cell: ({ id }) => <Count of={id} /> },
    {
      title: t('lists.changed'),
      showFrom: 'wide',
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    },
  ]
}

function Count({ of }: { of: number }) {
  const format = useFormat()
  const { data } = useQuery(totalsOptions(elementsOf(of), {}))
  return data ? format.count(data.total, data.is_complete) : null
}
