import { Button } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Integration, integrationsOptions } from '../api/integrations.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Empty } from '../parts/empty.tsx'
import { useFormat } from '../parts/format.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
import { NameCell } from './name-cell.tsx'

export function BuiltList() {
  const { t } = useTranslation()
  const query = useQuery(integrationsOptions)
  const columns = useColumns()
  return (
    <Loaded query={query}>
      {(integrations) =>
        integrations.length === 0 ? (
          <NoneBuilt />
        ) : (
          <DataTable
            label={t('integrations.built')}
            columns={columns}
            rows={integrations}
            rowKey={({ id }) => id}
          />
        )
      }
    </Loaded>
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
      room: 'medium',
      cell: ({ installed_in }) =>
        t('integrations.accounts', { count: installed_in, shown: format.number(installed_in) }),
    },
    {
      title: t('integrations.column.changed'),
      room: 'wide',
      cell: ({ updated_at }) => <When at={updated_at} />,
    },
  ]
}

/** Whether the redirect URI answered when it was last checked. */
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
    <Empty
      icon={IconCode}
      title={t('integrations.built_empty_title')}
      action={
        <Button variant="default" component={Link} to="/integrations/new">
          {t('integrations.new')}
        </Button>
      }
    >
      {t('integrations.built_empty_text')}
    </Empty>
  )
}
