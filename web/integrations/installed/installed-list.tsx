import { Button } from '@mantine/core'
import { IconPlug } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Installation, installationsOptions } from '../../data/installations.ts'
import { EmptyState } from '../../parts/layout/empty-state.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Status } from '../../parts/layout/status.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { SearchedTable } from '../../parts/lists/searched-table.tsx'
import { RelativeTime } from '../../parts/texts/relative-time.tsx'
import classes from '../list.module.css'
import { NameCell } from '../name-cell.tsx'

export function InstalledList() {
  const query = useQuery(installationsOptions)
  return (
    <Loaded query={query}>
      {(installations) =>
        installations.length === 0 ? <NoneInstalled /> : <InstalledTable installations={installations} />
      }
    </Loaded>
  )
}

function InstalledTable({ installations }: { installations: Installation[] }) {
  const { t } = useTranslation()
  return (
    <SearchedTable
      label={t('integrations.installed')}
      search={t('integrations.search')}
      texts={({ integration }) => [integration.name, integration.developer.name]}
      columns={useColumns()}
      rows={installations.toSorted(
        (one, other) => Number(other.is_active) - Number(one.is_active) || byName(one, other),
      )}
      rowKey={({ integration }) => integration.id}
    />
  )
}

const byName = (one: Installation, other: Installation) =>
  one.integration.name.localeCompare(other.integration.name)

function useColumns(): Column<Installation>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('integrations.column.name'),
      cell: ({ integration }) => (
        <NameCell
          integration={integration}
          link={{ to: '/integrations/installed/$clientId', params: { clientId: integration.id } }}
          under={integration.is_own ? t('integrations.own') : integration.developer.name}
        />
      ),
    },
    {
      title: t('integrations.column.state'),
      cell: (installation) => <InstallationState of={installation} />,
    },
    {
      title: t('integrations.column.connected'),
      showFrom: 'wide',
      cell: ({ installed_by, installed_at }) => (
        <span className={classes.stack}>
          <span>{installed_by?.name ?? t('app.removed_person')}</span>
          <span className={classes.under}>
            <RelativeTime at={installed_at} />
          </span>
        </span>
      ),
    },
    {
      title: t('integrations.column.used'),
      showFrom: 'medium',
      cell: ({ last_used_at }) =>
        last_used_at ? <RelativeTime at={last_used_at} /> : t('integrations.never_used'),
    },
  ]
}

/** The state of an installation: connected, waiting or disabled. */
export function InstallationState({ of }: { of: Installation }) {
  const { t } = useTranslation()
  if (!of.is_active) return <Status tone="off">{t('integrations.state.disabled')}</Status>
  if (of.grants.length === 0) return <Status tone="warn">{t('integrations.state.waiting')}</Status>
  return <Status tone="good">{t('integrations.state.active')}</Status>
}

function NoneInstalled() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconPlug}
      title={t('integrations.empty_title')}
      action={
        <Button variant="default" component={Link} to="/integrations/new">
          {t('integrations.new')}
        </Button>
      }
    >
      {t('integrations.empty_text')}
    </EmptyState>
  )
}
