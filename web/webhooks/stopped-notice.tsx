import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '../data/webhooks.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { EnableButton } from './enable-button.tsx'
import { shortAddress } from './webhook-address.ts'
import classes from './webhooks.module.css'

/** Names the webhooks that failures have disabled, each with a button that enables it. */
export function StoppedNotice({ webhooks }: { webhooks: Webhook[] }) {
  const { t } = useTranslation()
  if (webhooks.length === 0) return null
  return (
    <div className={classes.notice}>
      <Callout tone="danger" title={t('webhooks.stopped_list', { count: webhooks.length })}>
        <ul className={classes.stopped}>
          {webhooks.map((webhook) => (
            <li key={webhook.id}>
              <span className={classes.why}>
                <Link to="/settings/webhooks/$webhookId" params={{ webhookId: String(webhook.id) }}>
                  {shortAddress(webhook.destination)}
                </Link>
                <span>{webhook.disable_reason && t(`webhooks.reason.${webhook.disable_reason}`)}</span>
              </span>
              <EnableButton webhook={webhook} />
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  )
}
