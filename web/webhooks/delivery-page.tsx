import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  type DeliveryDetails,
  deliveryOptions,
  hasEnded,
  sendAgain,
  webhookOptions,
} from '../data/webhooks.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Section } from '../parts/layout/section.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { TraceLink } from '../parts/trace-link.tsx'
import { BodyText } from './body-text.tsx'
import { DeliveryAttempts } from './delivery-attempts.tsx'
import { DeliveryState } from './delivery-state.tsx'
import classes from './webhooks.module.css'
import { WireText } from './wire-text.tsx'

const route = getRouteApi('/shell/settings/webhooks/$webhookId/deliveries/$deliveryId')

/** One delivery: its request, and each attempt with its answer. */
export function DeliveryPage() {
  const { t } = useTranslation()
  const { webhookId, deliveryId } = route.useParams()
  const query = useQuery(deliveryOptions(Number(webhookId), Number(deliveryId)))
  const kind = query.data?.subject
  return (
    <Page
      title={kind ? t('webhooks.delivery.title', { kind }) : t('webhooks.delivery.one')}
      back={{ to: '/settings/webhooks/$webhookId', label: t('webhooks.deliveries.title') }}
      lead={query.data && <DeliveryState of={query.data} />}
      actions={query.data && <SendAgain webhookId={Number(webhookId)} delivery={query.data} />}
    >
      <Loaded query={query} rows={8}>
        {(delivery) => <Details delivery={delivery} />}
      </Loaded>
    </Page>
  )
}

function SendAgain({ webhookId, delivery }: { webhookId: number; delivery: DeliveryDetails }) {
  const { t } = useTranslation()
  const { data: webhook } = useQuery(webhookOptions(webhookId))
  const navigate = route.useNavigate()
  const send = useAction(sendAgain, t('webhooks.delivery.sent_again'))
  if (!hasEnded(delivery)) return null
  // The new delivery is at the top of the list.
  const toList = () =>
    navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId: String(webhookId) } })
  return (
    <Button
      loading={send.pending}
      disabled={webhook?.disabled !== false}
      onClick={() => send.run({ id: webhookId, delivery: delivery.id }, toList)}
    >
      {t('webhooks.delivery.send_again')}
    </Button>
  )
}

function Details({ delivery }: { delivery: DeliveryDetails }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { url, headers, body, tries, created_at, ended_at, request_id } = delivery
  return (
    <>
      <Section title={t('webhooks.delivery.one')}>
        <div className={classes.details}>
          <DescriptionList
            of={[
              [t('webhooks.form.url'), <code key="url">{url}</code>],
              [t('webhooks.delivery.created'), format.exact(created_at)],
              [t('webhooks.delivery.ended'), ended_at && format.exact(ended_at)],
              [
                t('webhooks.delivery.request_id'),
                <TraceLink key="id" id={request_id}>
                  <code>{request_id}</code>
                </TraceLink>,
              ],
            ]}
          />
        </div>
      </Section>
      <Section title={t('webhooks.delivery.attempts')}>
        {tries.length === 0 ? (
          <p className={classes.quiet}>{t('webhooks.delivery.no_attempts')}</p>
        ) : (
          <DeliveryAttempts tries={tries} />
        )}
      </Section>
      <Section title={t('webhooks.delivery.request')} lead={t('webhooks.delivery.request_lead')}>
        <div className={classes.request}>
          <WireText
            label={t('webhooks.delivery.headers')}
            text={Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          />
          <BodyText body={body} />
        </div>
      </Section>
    </>
  )
}
