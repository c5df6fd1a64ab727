import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { installationsOptions } from '../api/installations.ts'
import { integrationsOptions } from '../api/integrations.ts'
import { Page } from '../parts/page.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useIsAdministrator } from '../shell/use-session.ts'

/** Both lists of integrations: those that work in this account, and those that were made in it. */
export function IntegrationsPage() {
  const { t } = useTranslation()
  const administrator = useIsAdministrator()
  const installed = useQuery(installationsOptions)
  const built = useQuery({ ...integrationsOptions, enabled: administrator })
  return (
    <Page
      title={t('integrations.title')}
      lead={t('integrations.lead')}
      actions={
        administrator && (
          <Button component={Link} to="/integrations/new" leftSection={<IconPlus size={15} />}>
            {t('integrations.new')}
          </Button>
        )
      }
    >
      {administrator && (
        <Tabs
          label={t('integrations.title')}
          tabs={[
            {
              link: { to: '/integrations' },
              title: t('integrations.installed'),
              count: installed.data?.filter(({ is_active }) => is_active).length,
            },
            { link: { to: '/integrations/built' }, title: t('integrations.built'), count: built.data?.length },
          ]}
        />
      )}
      <Outlet />
    </Page>
  )
}
