import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deliveryStates } from '../data/delivery-states.ts'
import { deliveriesOptions, type Webhook } from '../data/webhooks.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { useDeliveryColumns } from './delivery-columns.tsx'
import { HealthDetails } from './health-details.tsx'
import { SendFailedDialog } from './send-failed-dialog.tsx'
import { useWebhook } from './webhook-page.tsx'
import classes from './webhooks.module.css'

const route = getRouteApi('/shell/settings/webhooks/$webhookId/')

/** The health of the address, and the deliveries of the last thirty days. */
export function DeliveriesTab() {
  const { t } = useTranslation()
  const webhook = useWebhook()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <HealthDetails webhook={webhook} />
      <Section
        title={t('webhooks.deliveries.title')}
        lead={t('webhooks.deliveries.lead')}
        actions={
          <Button variant="default" disabled={webhook.disabled} onClick={() => setIsAsking(true)}>
            {t('webhooks.deliveries.send_failed')}
          </Button>
        }
      >
        <StateFilter />
        <Deliveries webhook={webhook} />
      </Section>
      <SendFailedDialog webhook={webhook} opened={isAsking} onClose={() => setIsAsking(false)} />
    </>
  )
}

function StateFilter() {
  const { t } = useTranslation()
  const { state } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div className={classes.filter}>
      <SegmentedControl
        size="xs"
        aria-label={t('webhooks.deliveries.filter')}
        value={state ?? 'all'}
        onChange={(chosen) =>
          navigate({ search: { state: deliveryStates.find((one) => one === chosen) }, replace: true })
        }
        data={['all' as const, ...deliveryStates].map((value) => ({
          value,
          label: t(`webhooks.deliveries.states.${value}`),
        }))}
      />
    </div>
  )
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const { state } = route.useSearch()
  const query = useInfiniteQuery(deliveriesOptions(webhook.id, state))
  const columns = useDeliveryColumns(webhook)
  return (
    <Loaded query={query} rows={6}>
      {({ pages }) => {
        const rows = pages.flatMap(({ deliveries }) => deliveries)
        if (rows.length === 0)
          return (
            <p className={classes.quiet}>
              {t(state ? 'webhooks.deliveries.none_so' : 'webhooks.deliveries.none')}
            </p>
          )
        return (
          <>
            <DataTable
              label={t('webhooks.deliveries.title')}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
            />
            <LoadMore query={query} />
          </>
        )
      }}
    </Loaded>
  )
}
