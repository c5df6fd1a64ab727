import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Installation, install, installationsOptions } from '../data/installations.ts'
import { Callout } from '../parts/callout.tsx'
import { DescriptionList } from '../parts/description-list.tsx'
import { IconTile } from '../parts/icon-tile.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { RelativeTime } from '../parts/relative-time.tsx'
import { Section } from '../parts/section.tsx'
import { useAction } from '../parts/use-action.ts'
import { IntegrationWebhooks } from '../webhooks/integration-webhooks.tsx'
import { AccessSection } from './access-section.tsx'
import { CodeSection } from './code-section.tsx'
import { Description } from './description.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { InstallationState } from './installed-list.tsx'
import { PermissionList } from './permission-list.tsx'
import { WidgetSection } from './widget-section.tsx'
import classes from './window.module.css'

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
  const { integration, is_active } = installation
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
      <div className={classes.columns}>
        <div>
          {!is_active && (
            <div className={classes.notice}>
              <Callout tone="warn" title={t('installation.disabled_title')}>
                {t('installation.disabled_text')}
              </Callout>
            </div>
          )}
          {integration.description && (
            <Section title={t('installation.about')}>
              <Description html={integration.description} />
            </Section>
          )}
          {is_active && <CodeSection clientId={integration.id} />}
          {is_active && <WidgetSection clientId={integration.id} />}
          <AccessSection installation={installation} />
          <IntegrationWebhooks clientId={integration.id} />
          <Section title={t('installation.permissions')}>
            <PermissionList permissions={integration.permissions} />
          </Section>
        </div>
        <InstallationFacts installation={installation} />
      </div>
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

function InstallationFacts({ installation }: { installation: Installation }) {
  const { t } = useTranslation()
  const { integration, installed_at, installed_by, disabled_at, disabled_by, last_used_at } = installation
  const removed = t('app.removed_person')
  return (
    <aside className={classes.aside} aria-label={t('installation.details')}>
      <DescriptionList
        of={[
          [t('installation.detail.connected_by'), installed_by?.name ?? removed],
          [t('installation.detail.connected'), <RelativeTime key="at" at={installed_at} />],
          [
            t('installation.detail.used'),
            last_used_at ? <RelativeTime key="used" at={last_used_at} /> : t('integrations.never_used'),
          ],
          [t('installation.detail.disabled_by'), disabled_at && (disabled_by?.name ?? removed)],
          [t('installation.detail.disabled'), disabled_at && <RelativeTime at={disabled_at} />],
          [t('installation.detail.access'), t(`integrations.access.${integration.access}`)],
          [t('installation.detail.id'), integration.is_own ? <code key="id">{integration.id}</code> : null],
        ]}
      />
    </aside>
  )
}
