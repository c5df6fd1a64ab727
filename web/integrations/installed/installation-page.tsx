import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Installation, install, installationsOptions } from '../../data/installations.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { IconTile } from '../../parts/layout/icon-tile.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import classes from '../built/window.module.css'
import { DisableDialog } from './disable-dialog.tsx'
import { InstallationState } from './installed-list.tsx'

const route = getRouteApi('/shell/integrations/installed/$clientId')

/** An integration in an account that installed it. */
export function InstallationPage() {
  const { t } = useTranslation()
  const { clientId } = route.useParams()
  const query = useQuery(installationsOptions)
  const back = { to: '/integrations', label: t('integrations.title') } as const
  const found = query.data?.find(({ integration }) => integration.id === clientId)
  if (found) return <InstallationWindow key={clientId} installation={found} back={back} />
  return (
    <Page title={t('integrations.one')} back={back}>
      <Loaded query={query}>
        {() => (
          <Callout tone="warn" title={t('installation.gone_title')}>
            {t('installation.gone_text')}
          </Callout>
        )}
      </Loaded>
    </Page>
  )
}

interface WindowProps {
  installation: Installation
  back: { to: '/integrations'; label: string }
}

function InstallationWindow({ installation, back }: WindowProps) {
  const { t } = useTranslation()
  const { integration } = installation
  const params = { clientId: integration.id }
  return (
    <Page
      title={integration.name}
      back={back}
      mark={<IconTile name={integration.name} url={integration.icon_url} size="large" />}
      lead={
        <span className={classes.lead}>
          <InstallationState of={installation} />
          <span>{t('installation.by', { name: integration.developer.name })}</span>
        </span>
      }
      actions={<WindowActions installation={installation} />}
    >
      <Tabs
        label={integration.name}
        tabs={[
          { link: { to: '/integrations/installed/$clientId', params }, title: t('installation.overview') },
          { link: { to: '/integrations/installed/$clientId/activity', params }, title: t('built.activity') },
        ]}
      />
      <Outlet />
    </Page>
  )
}

function WindowActions({ installation }: { installation: Installation }) {
  const { t } = useTranslation()
  const { integration, is_active } = installation
  const [asking, setAsking] = useState(false)
  const again = useAction(install, t('installation.enabled_done'))
  return (
    <>
      {integration.is_own && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/integrations/built/$clientId" params={{ clientId: integration.id }} {...props} />
          )}
        >
          {t('installation.edit')}
        </Button>
      )}
      {is_active && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('installation.disable')}
        </Button>
      )}
      {!is_active && (
        <Button onClick={() => again.run(integration.id)} loading={again.pending}>
          {t('installation.enable')}
        </Button>
      )}
      <DisableDialog installation={installation} opened={asking} onClose={() => setAsking(false)} />
    </>
  )
}

/** The installation of the open page. The tabs render only after it is loaded. */
export function useInstallation(): Installation {
  const { clientId } = route.useParams()
  const { data } = useQuery(installationsOptions)
  const found = data?.find(({ integration }) => integration.id === clientId)
  if (!found) throw new Error('the window draws its pages when the installation is there')
  return found
}
