import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useColleagueName } from '../data/colleagues.ts'
import { useIntegrationNames } from '../data/integration-names.ts'
import { type LoggedExchange, requestOptions } from '../data/requests.ts'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { LoadedPage } from '../parts/layout/loaded-page.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Tabs } from '../parts/layout/tabs.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { TraceLink } from '../parts/trace-link.tsx'
import { addressOf } from './address.ts'
import { CodeButton } from './code-button.tsx'
import classes from './request-page.module.css'
import { SendAgain } from './send-again.tsx'
import { isSigned, SignatureLink } from './signature-link.tsx'
import { StatusCode } from './status-code.tsx'
import { useRemark } from './use-remark.ts'

const route = getRouteApi('/shell/developers/requests/$requestId')

/** One recorded request: what was asked, what was answered, what it caused and why. */
export function RequestPage() {
  const { t } = useTranslation()
  const id = Number(route.useParams().requestId)
  const query = useQuery(requestOptions(id))
  const back = { to: '/developers/requests', label: t('requests.title') } as const
  return (
    <LoadedPage title={t('requests.one')} back={back} query={query}>
      {(request) => <Window key={id} request={request} back={back} />}
    </LoadedPage>
  )
}

interface WindowProps {
  request: LoggedExchange
  back: { to: '/developers/requests'; label: string }
}

function Window({ request, back }: WindowProps) {
  const { t } = useTranslation()
  const params = { requestId: String(request.id) }
  const at = '/developers/requests/$requestId'
  const title = `${request.method} ${addressOf(request)}`
  return (
    <Page
      title={title}
      back={back}
      lead={<Lead request={request} />}
      actions={
        <>
          <CodeButton request={request} />
          <SendAgain request={request} />
        </>
      }
    >
      <div className={classes.facts}>
        <Facts request={request} />
      </div>
      <Tabs
        label={title}
        tabs={[
          { link: { to: at, params }, title: t('requests.tab.request') },
          { link: { to: `${at}/answer`, params }, title: t('requests.tab.answer') },
          { link: { to: `${at}/caused`, params }, title: t('requests.tab.caused') },
          { link: { to: `${at}/why`, params }, title: t('requests.tab.why') },
        ]}
      />
      <Outlet />
    </Page>
  )
}

function Lead({ request }: { request: LoggedExchange }) {
  const remark = useRemark()
  const { status, duration_ms } = request
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={classes.lead}>
      <StatusCode status={status} />
      <span>{t('requests.ms', { number: format.number(duration_ms) })}</span>
      <span>{remark(request)}</span>
    </span>
  )
}

function Facts({ request }: { request: LoggedExchange }) {
  const { t } = useTranslation()
  const format = useFormat()
  const names = useIntegrationNames()
  const nameOf = useColleagueName()
  const { at, direction, host, operation, integration_id, user_id, request_id, generation } = request
  // The queue names its deliveries in this header.
  const deliveryId = /^del_(\d+)$/.exec(request.request.headers['webhook-id'] ?? '')?.[1]
  return (
    <DescriptionList
      of={[
        [t('requests.fact.at'), format.exact(at / 1000)],
        [t('requests.fact.direction'), t(`requests.direction.${direction}`)],
        [t('requests.fact.host'), <code key="host">{host}</code>],
        [
          t('requests.fact.operation'),
          operation && (
            <Link key="operation" to="/developers/requests" search={{ operation }}>
              <code>{operation}</code>
            </Link>
          ),
        ],
        [
          t('requests.fact.integration'),
          integration_id && (
            <Link key="integration" to="/developers/requests" search={{ integration: integration_id }}>
              {names.get(integration_id) ?? integration_id}
            </Link>
          ),
        ],
        [t('requests.fact.person'), user_id === null ? null : nameOf(user_id)],
        [
          t('requests.fact.token'),
          generation === null ? null : t('requests.generation', { number: generation }),
        ],
        [t('traces.title'), request_id && <TraceLink key="trace" id={request_id} />],
        [
          t('requests.fact.signature'),
          isSigned(request) && <SignatureLink key="signature" id={request.id} />,
        ],
        [
          t('requests.fact.delivery'),
          deliveryId && (
            <Link key="delivery" to="/developers/deliveries/$deliveryId" params={{ deliveryId }}>
              <code>{deliveryId}</code>
            </Link>
          ),
        ],
        [
          t('requests.fact.request_id'),
          request_id && (
            <Link key="request" to="/developers/requests" search={{ request_id }}>
              <code>{request_id}</code>
            </Link>
          ),
        ],
      ]}
    />
  )
}

/** The request of the open page. The tabs render only after it is loaded. */
export function useRequest(): LoggedExchange {
  const { data } = useQuery(requestOptions(Number(route.useParams().requestId)))
  if (!data) throw new Error('the page draws its tabs when the request is there')
  return data
}
