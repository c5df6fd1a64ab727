import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type AnyDeliveryDetails, oneDeliveryOptions, sendDeliveryAgain } from '../data/deliveries.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { LoadedPage } from '../parts/layout/loaded-page.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Section } from '../parts/layout/section.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { TraceLink } from '../parts/trace-link.tsx'
import { BodyText } from '../webhooks/body-text.tsx'
import { DeliveryAttempts } from '../webhooks/delivery-attempts.tsx'
import { DeliveryState } from '../webhooks/delivery-state.tsx'
import { WireText } from '../webhooks/wire-text.tsx'
import classes from './deliveries.module.css'
import { useDeliveryTitle } from './delivery-columns.tsx'
import { useReceiverName } from './use-receiver-name.ts'

const route = getRouteApi('/shell/developers/deliveries/$deliveryId')

/** One delivery: its request, and each attempt with its answer. */
export function AnyDeliveryPage() {
  const { t } = useTranslation()
  const query = useQuery(oneDeliveryOptions(Number(route.useParams().deliveryId)))
  const titleOf = useDeliveryTitle()
  const back = { to: '/developers/deliveries', label: t('deliveries.title') } as const
  return (
    <LoadedPage title={t('deliveries.one')} back={back} query={query}>
      {(delivery) => (
        <Page
          title={titleOf(delivery)}
          back={back}
          lead={<DeliveryState of={delivery} />}
          actions={delivery.can_be_sent_again && <SendAgain id={delivery.id} />}
        >
          <Details delivery={delivery} />
        </Page>
      )}
    </LoadedPage>
  )
}

function SendAgain({ id }: { id: number }) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const send = useAction(sendDeliveryAgain, t('webhooks.delivery.sent_again'))
  // The new delivery is at the top of the list.
  return (
    <Button
      loading={send.pending}
      onClick={() => send.run(id, () => navigate({ to: '/developers/deliveries' }))}
    >
      {t('webhooks.delivery.send_again')}
    </Button>
  )
}

function Details({ delivery }: { delivery: AnyDeliveryDetails }) {
  const { t } = useTranslation()
  const { headers, body, tries } = delivery
  return (
    <>
      <Facts delivery={delivery} />
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
          {body === null || body === '' ? (
            <p className={classes.quiet}>{t('deliveries.no_body')}</p>
          ) : isForm(headers) ? (
            <BodyText body={body} />
          ) : (
            <WireText label={t('webhooks.delivery.body')} text={body} />
          )}
        </div>
      </Section>
    </>
  )
}

const isForm = (headers: Record<string, string>) => headers['content-type']?.includes('form-urlencoded')

function Facts({ delivery }: { delivery: AnyDeliveryDetails }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useReceiverName()
  const { method, url, receiver, receiver_name, created_at, ended_at, request_id } = delivery
  return (
    <Section title={t('deliveries.one')}>
      <div className={classes.facts}>
        <DescriptionList
          of={[
            [t('deliveries.column.receiver'), nameOf(receiver, receiver_name)],
            [t('webhooks.form.url'), <code key="url">{`${method} ${url}`}</code>],
            [t('webhooks.delivery.created'), format.exact(created_at)],
            [t('webhooks.delivery.ended'), ended_at === null ? null : format.exact(ended_at)],
            [t('traces.title'), request_id && <TraceLink key="trace" id={request_id} />],
            [
              t('webhooks.delivery.request_id'),
              request_id && (
                <Link key="id" to="/developers/requests" search={{ request_id }}>
                  <code>{request_id}</code>
                </Link>
              ),
            ],
          ]}
        />
      </div>
    </Section>
  )
}
