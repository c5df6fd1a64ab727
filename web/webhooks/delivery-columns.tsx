import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Delivery, hasEnded, sendAgain, type Webhook } from '../data/webhooks.ts'
import { useAction } from '../parts/forms/use-action.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { DeliveryState } from './delivery-state.tsx'
import { useAttemptText } from './use-attempt-text.ts'
import classes from './webhooks.module.css'

export function useDeliveryColumns(webhook: Webhook): Column<Delivery>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const attemptText = useAttemptText()
  return [
    {
      title: t('webhooks.deliveries.column.kind'),
      cell: ({ id, subject, created_at }) => (
        <span className={classes.stack}>
          <Link
            to="/settings/webhooks/$webhookId/deliveries/$deliveryId"
            params={{ webhookId: String(webhook.id), deliveryId: String(id) }}
            data-row-link
          >
            <code>{subject}</code>
          </Link>
          <span className={classes.under}>{format.exact(created_at)}</span>
        </span>
      ),
    },
    {
      title: t('webhooks.deliveries.column.state'),
      cell: (delivery) => <DeliveryState of={delivery} />,
    },
    {
      title: t('webhooks.deliveries.column.attempts'),
      showFrom: 'wide',
      cell: ({ attempts }) => format.number(attempts),
    },
    {
      title: t('webhooks.deliveries.column.answer'),
      showFrom: 'medium',
      cell: ({ last_status, last_error }) =>
        last_status === null && last_error === null ? null : attemptText(last_status, last_error),
    },
    {
      title: t('webhooks.deliveries.column.actions'),
      actions: true,
      showFrom: 'medium',
      cell: (delivery) =>
        hasEnded(delivery) && !webhook.disabled && <SendAgain webhook={webhook} delivery={delivery} />,
    },
  ]
}

function SendAgain({
  webhook,
  delivery: { id, subject, created_at },
}: {
  webhook: Webhook
  delivery: Delivery
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const send = useAction(sendAgain, t('webhooks.delivery.sent_again'))
  const label = t('webhooks.delivery.send_again_of', { kind: subject, time: format.exact(created_at) })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      loading={send.pending}
      onClick={() => send.run({ id: webhook.id, delivery: id })}
      aria-label={label}
      title={t('webhooks.delivery.send_again')}
    >
      <IconRefresh size={16} />
    </ActionIcon>
  )
}
