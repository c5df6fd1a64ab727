import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { deliveryKinds, isOfChat } from '../../src/deliveries/kind-types.ts'
import { type AnyDelivery, sendDeliveryAgain } from '../data/deliveries.ts'
import { useIntegrationNames } from '../data/integration-names.ts'
import { hasEnded } from '../data/webhooks.ts'
import { useAction } from '../parts/forms/use-action.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { DeliveryState } from '../webhooks/delivery-state.tsx'
import { useAttemptText } from '../webhooks/use-attempt-text.ts'
import classes from './deliveries.module.css'
import { useReceiverName } from './use-receiver-name.ts'

/** Returns the name of what is sent: the kind of the change of a webhook, otherwise the kind of the delivery. */
export function useDeliveryTitle(): (delivery: Pick<AnyDelivery, 'kind' | 'event'>) => string {
  const { t } = useTranslation()
  return ({ kind, event }) => {
    const known = deliveryKinds.find((one) => one === kind)
    return event ?? (known ? t(`deliveries.kind.${known}`) : kind)
  }
}

export function useDeliveryColumns(): Column<AnyDelivery>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const titleOf = useDeliveryTitle()
  const attemptText = useAttemptText()
  return [
    {
      title: t('deliveries.column.what'),
      cell: (delivery) => (
        <span className={classes.stack}>
          <Link
            to="/developers/deliveries/$deliveryId"
            params={{ deliveryId: String(delivery.id) }}
            data-row-link
          >
            {titleOf(delivery)}
          </Link>
          <span className={classes.under}>{format.exact(delivery.created_at)}</span>
          <span className={classes.below}>
            <ReceiverCell delivery={delivery} />
          </span>
        </span>
      ),
    },
    {
      title: t('deliveries.column.receiver'),
      showFrom: 'medium',
      cell: (delivery) => <ReceiverCell delivery={delivery} />,
    },
    { title: t('deliveries.column.state'), cell: (delivery) => <DeliveryState of={delivery} /> },
    {
      title: t('deliveries.column.attempts'),
      showFrom: 'wide',
      cell: ({ attempts }) => format.number(attempts),
    },
    {
      title: t('deliveries.column.answer'),
      showFrom: 'medium',
      cell: ({ last_status, last_error }) =>
        last_status === null && last_error === null ? null : attemptText(last_status, last_error),
    },
    {
      title: t('deliveries.column.actions'),
      actions: true,
      showFrom: 'medium',
      cell: (delivery) => canBeSentAgain(delivery) && <SendAgain delivery={delivery} />,
    },
  ]
}

/** The server decides in the end, for example if a receiver is disabled. */
const canBeSentAgain = (delivery: AnyDelivery): boolean =>
  hasEnded(delivery) && (!isOfChat(delivery.kind) || delivery.state === 'failed')

function ReceiverCell({ delivery }: { delivery: AnyDelivery }) {
  const names = useIntegrationNames()
  const nameOf = useReceiverName()
  const { receiver, receiver_name, url, integration_id, kind } = delivery
  const integration = kind === 'disable_hook' ? undefined : names.get(integration_id ?? '')
  return (
    <span className={classes.stack}>
      <span className={classes.receiver}>{nameOf(receiver, receiver_name ?? url)}</span>
      {integration && <span className={classes.under}>{integration}</span>}
    </span>
  )
}

function SendAgain({ delivery }: { delivery: AnyDelivery }) {
  const { t } = useTranslation()
  const format = useFormat()
  const titleOf = useDeliveryTitle()
  const send = useAction(sendDeliveryAgain, t('webhooks.delivery.sent_again'))
  const label = t('webhooks.delivery.send_again_of', {
    kind: titleOf(delivery),
    time: format.exact(delivery.created_at),
  })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      loading={send.pending}
      onClick={() => send.run(delivery.id)}
      aria-label={label}
      title={t('webhooks.delivery.send_again')}
    >
      <IconRefresh size={16} />
    </ActionIcon>
  )
}
