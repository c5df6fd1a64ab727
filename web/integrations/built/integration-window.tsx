import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Integration, integrationOptions } from '../../data/integrations.ts'
import { IconTile } from '../../parts/layout/icon-tile.tsx'
import { LoadedPage } from '../../parts/layout/loaded-page.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { RedirectState } from './built-list.tsx'
import { InstallHere } from './install-here.tsx'
import classes from './window.module.css'

const route = getRouteApi('/shell/integrations/built/$clientId')

/** An integration in the account that created it. */
export function IntegrationWindow() {
  const { t } = useTranslation()
  const { clientId } = route.useParams()
  const query = useQuery(integrationOptions(clientId))
  const back = { to: '/integrations/built', label: t('integrations.built') } as const
  return (
    <LoadedPage title={t('integrations.one')} back={back} query={query}>
      {(integration) => <Window key={clientId} integration={integration} back={back} />}
    </LoadedPage>
  )
}

interface WindowProps {
  integration: Integration
  back: { to: '/integrations/built'; label: string }
}

function Window({ integration, back }: WindowProps) {
  const { t } = useTranslation()
  const params = { clientId: integration.id }
  return (
    <Page
      title={integration.name}
      back={back}
      mark={<IconTile name={integration.name} url={integration.icon_url} size="large" />}
      lead={
        <span className={classes.lead}>
          <RedirectState of={integration} />
          <span>{t('integrations.installed_in', { count: integration.installed_in })}</span>
        </span>
      }
      actions={<InstallHere clientId={integration.id} />}
    >
      <Tabs
        label={integration.name}
        tabs={[
          { link: { to: '/integrations/built/$clientId', params }, title: t('built.settings') },
          { link: { to: '/integrations/built/$clientId/keys', params }, title: t('built.keys') },
          { link: { to: '/integrations/built/$clientId/widget', params }, title: t('built.widget') },
          { link: { to: '/integrations/built/$clientId/activity', params }, title: t('built.activity') },
          { link: { to: '/integrations/built/$clientId/log', params }, title: t('built.log') },
        ]}
      />
      <Outlet />
    </Page>
  )
}

/** The integration of the open page. The tabs render only after it is loaded. */
export function useIntegration(): Integration {
  const { clientId } = route.useParams()
  const { data } = useQuery(integrationOptions(clientId))
  if (!data) throw new Error('the window draws its pages when the integration is there')
  return data
}
