import { useTranslation } from 'react-i18next'
import type { Installation } from '../../data/installations.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { RelativeTime } from '../../parts/texts/relative-time.tsx'
import { IntegrationWebhooks } from '../../webhooks/integration-webhooks.tsx'
import classes from '../built/window.module.css'
import { Description } from '../description.tsx'
import { PermissionList } from '../permission-list.tsx'
import { AccessSection } from './access-section.tsx'
import { CodeSection } from './code-section.tsx'
import { useInstallation } from './installation-page.tsx'
import { WidgetSection } from './widget-section.tsx'

/** The codes, tokens, webhooks and permissions of an installed integration. */
export function InstallationDetails() {
  const { t } = useTranslation()
  const installation = useInstallation()
  const { integration, is_active } = installation
  return (
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
