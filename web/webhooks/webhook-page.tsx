import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { patchWebhook, type Webhook, webhookOptions } from '../data/webhooks.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { LoadedPage } from '../parts/layout/loaded-page.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Tabs } from '../parts/layout/tabs.tsx'
import { EnableButton } from './enable-button.tsx'
import { shortAddress } from './webhook-address.ts'
import { isStopped, WebhookState } from './webhook-state.tsx'
import classes from './webhooks.module.css'

const route = getRouteApi('/shell/settings/webhooks/$webhookId')

/** One webhook: its deliveries, its settings and its signatures. */
export function WebhookPage() {
  const { t } = useTranslation()
  const id = Number(route.useParams().webhookId)
  const query = useQuery(webhookOptions(id))
  const back = { to: '/settings/webhooks', label: t('webhooks.title') } as const
  return (
    <LoadedPage title={t('webhooks.one')} back={back} query={query}>
      {(webhook) => <Window key={id} webhook={webhook} back={back} />}
    </LoadedPage>
  )
}

interface WindowProps {
  webhook: Webhook
  back: { to: '/settings/webhooks'; label: string }
}

function Window({ webhook, back }: WindowProps) {
  const { t } = useTranslation()
  const params = { webhookId: String(webhook.id) }
  const at = '/settings/webhooks/$webhookId'
  const title = shortAddress(webhook.destination)
  return (
    <Page
      title={title}
      back={back}
      lead={<WebhookState of={webhook} short={webhook.disabled} />}
      actions={!webhook.disabled && <DisableButton webhook={webhook} />}
    >
      {webhook.disabled && <Disabled webhook={webhook} />}
      <Tabs
        label={title}
        tabs={[
          { link: { to: at, params }, title: t('webhooks.tab.deliveries') },
          { link: { to: `${at}/settings`, params }, title: t('webhooks.tab.settings') },
          { link: { to: `${at}/signing`, params }, title: t('webhooks.tab.signing') },
        ]}
      />
      <Outlet />
    </Page>
  )
}

function Disabled({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const { disable_reason } = webhook
  return (
    <div className={classes.notice}>
      <Callout
        tone={isStopped(webhook) ? 'danger' : 'warn'}
        title={t('webhooks.disabled_title')}
        actions={<EnableButton webhook={webhook} />}
      >
        {disable_reason && `${t(`webhooks.reason.${disable_reason}`)} `}
        {t('webhooks.disabled_text')}
      </Callout>
    </div>
  )
}

function DisableButton({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const disable = useAction(patchWebhook, t('webhooks.disabled'))
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('webhooks.disable')}
      </Button>
      <Confirm
        opened={isAsking}
        title={t('webhooks.disable_title', { address: shortAddress(webhook.destination) })}
        action={t('webhooks.disable')}
        pending={disable.pending}
        onConfirm={() => disable.run({ id: webhook.id, disabled: true }, () => setIsAsking(false))}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('webhooks.disable_text')}</p>
      </Confirm>
    </>
  )
}

/** The webhook of the open page. The tabs render only after it is loaded. */
export function useWebhook(): Webhook {
  const { data } = useQuery(webhookOptions(Number(route.useParams().webhookId)))
  if (!data) throw new Error('the window draws its pages when the webhook is there')
  return data
}
