import { Button } from '@mantine/core'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SavedIntegration } from '../../data/integrations.ts'
import { useShownOnce } from '../../data/shown-once.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Copyable } from '../../parts/texts/copyable.tsx'
import { useSignedIn } from '../../shell/use-session.ts'
import { CodeCard } from '../code-card.tsx'
import { exchangeCommand } from './exchange.ts'
import classes from './window.module.css'

const route = getRouteApi('/shell/integrations/built/$clientId/saved')

/** The keys and the first code of a new integration. Loaded again, it is the page of the integration. */
export function SavedPage() {
  const params = route.useParams()
  const saved = useShownOnce<SavedIntegration>(params.clientId)
  return saved ? (
    <Saved saved={saved} />
  ) : (
    <Navigate to="/integrations/built/$clientId" params={params} replace />
  )
}

function Saved({ saved }: { saved: SavedIntegration }) {
  const { t } = useTranslation()
  const { account } = useSignedIn()
  const { integration, keys, code } = saved
  return (
    <Page
      isNext
      title={t('saved.title', { name: integration.name })}
      lead={t('saved.lead')}
      back={{ to: '/integrations/built', label: t('integrations.built') }}
      actions={
        <Button
          renderRoot={(props) => (
            <Link to="/integrations/built/$clientId" params={{ clientId: integration.id }} {...props} />
          )}
        >
          {t('saved.to_window')}
        </Button>
      }
    >
      <Section title={t('keys_of.title')}>
        <div className={classes.stack}>
          <Callout tone="info" title={t('saved.once_title')} live>
            {t('saved.once_text')}
          </Callout>
          <Copyable label={t('keys_of.client_id')} value={keys.client_id} />
          <Copyable label={t('keys_of.client_secret')} value={keys.client_secret} />
          <CodeCard code={code} />
        </div>
      </Section>
      {account && (
        <Section title={t('saved.exchange')} lead={t('saved.exchange_lead')}>
          <div className={classes.stack}>
            <Copyable
              label={t('saved.command')}
              value={exchangeCommand(account.url, keys, code, integration)}
            />
          </div>
        </Section>
      )}
    </Page>
  )
}
