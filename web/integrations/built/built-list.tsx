import { Button } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Integration, integrationsOptions } from '../../data/integrations.ts'
import { EmptyState } from '../../parts/layout/empty-state.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Status } from '../../parts/layout/status.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { SearchedTable } from '../../parts/lists/searched-table.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { RelativeTime } from '../../parts/texts/relative-time.tsx'
import { NameCell } from '../name-cell.tsx'

export function BuiltList() {
  const query = useQuery(integrationsOptions)
  return (
    <Loaded query={query}>
      {(integrations) =>
        integrations.length === 0 ? <NoneBuilt /> : <BuiltTable integrations={integrations} />
      }
    </Loaded>
  )
}

function BuiltTable({ integrations }: { integrations: Integration[] }) {
  const { t } = useTranslation()
  return (
    <SearchedTable
      label={t('integrations.built')}
      search={t('integrations.search')}
      texts={({ name, redirect_uri }) => [name, redirect_uri]}
      columns={useColumns()}
      rows={integrations}
      rowKey={({ id }) => id}
    />
  )
}

function useColumns(): Column<Integration>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    {
      title: t('integrations.column.name'),
      cell: (integration) => (
        <NameCell
          integration={integration}
          link={{ to: '/integrations/built/$clientId', params: { clientId: integration.id } }}
          under={t(`integrations.access.${integration.access}`)}
        />
      ),
    },
    { title: t('integrations.column.redirect'), cell: (integration) => <RedirectState of={integration} /> },
    {
      title: t('integrations.column.installed_in'),
      showFrom: 'medium',
      cell: ({ installed_in }) =>
        t('integrations.accounts', { count: installed_in, shown: format.number(installed_in) }),
    },
    {
      title: t('integrations.column.changed'),
      showFrom: 'wide',
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    },
  ]
}

/** The result of the last check of the redirect URI. */
export function RedirectState({ of }: { of: Pick<Integration, 'redirect_available' | 'redirect_error'> }) {
  const { t } = useTranslation()
  if (of.redirect_available === null) return <Status tone="off">{t('redirect.unchecked')}</Status>
  if (of.redirect_available && of.redirect_error) return <Status tone="warn">{t('redirect.failed')}</Status>
  if (of.redirect_available) return <Status tone="good">{t('redirect.answers')}</Status>
  return <Status tone="danger">{t('redirect.silent')}</Status>
}

function NoneBuilt() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconCode}
      title={t('integrations.built_empty_title')}
      action={
        <Button variant="default" component={Link} to="/integrations/new">
          {t('integrations.new')}
        </Button>
      }
    >
      {t('integrations.built_empty_text')}
    </EmptyState>
  )
}
