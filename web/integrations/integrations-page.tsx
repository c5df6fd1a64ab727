import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { installationsOptions } from '../data/installations.ts'
import { integrationsOptions } from '../data/integrations.ts'
import { Page } from '../parts/layout/page.tsx'
import { Tabs } from '../parts/layout/tabs.tsx'

/** The installed integrations, and those built in this account. */
export function IntegrationsPage() {
  const { t } = useTranslation()
  const installed = useQuery(installationsOptions)
  const built = useQuery(integrationsOptions)
  return (
    <Page
      title={t('integrations.title')}
      lead={t('integrations.lead')}
      actions={
        <Button component={Link} to="/integrations/new" leftSection={<IconPlus size={15} />}>
          {t('integrations.new')}
        </Button>
      }
    >
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
      <Outlet />
    </Page>
  )
}
