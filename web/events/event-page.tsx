import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { aroundOptions, eventOptions, type LogEvent } from '../data/events.ts'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Section } from '../parts/layout/section.tsx'
import { Copyable } from '../parts/texts/copyable.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { TraceLink } from '../parts/trace-link.tsx'
import { useSession } from '../shell/use-session.ts'
import { apiAddress, curlOf } from './api-address.ts'
import { ChangeLine } from './change-line.tsx'
import { EventJson } from './event-json.tsx'
import { EventLine } from './event-line.tsx'
import classes from './event-page.module.css'
import { EventRecord } from './event-record.tsx'
import { useActorName } from './event-text.ts'
import { useTypeName } from './use-type-name.ts'

const route = getRouteApi('/shell/events/$eventId')

/** The page of an event. */
export function EventPage() {
  const { t } = useTranslation()
  const { eventId } = route.useParams()
  const query = useQuery(eventOptions(eventId))
  const name = useTypeName()
  return (
    <Page
      title={(query.data && name(query.data)) ?? t('events.one.title')}
      back={{ to: '/events', label: t('events.one.back') }}
    >
      <Loaded query={query} rows={6}>
        {(event) => <Parts event={event} />}
      </Loaded>
    </Page>
  )
}

function Parts({ event }: { event: LogEvent & { request_id?: string } }) {
  const { t } = useTranslation()
  const { account } = useSession()
  const format = useFormat()
  const who = useActorName()(event)
  const address = apiAddress(account?.url ?? '', `/events/${event.id}`, {})
  return (
    <>
      <p className={classes.line}>
        <EventLine event={event} showRecord />
      </p>
      <div className={classes.details}>
        <DescriptionList
          of={[
            [t('events.one.when'), format.exact(event.created_at)],
            [t('events.one.who'), who],
            [t('events.one.record'), <EventRecord key="record" event={event} />],
            [t('events.one.what'), <code key="type">{event.type}</code>],
            [t('events.one.id'), <code key="id">{event.id}</code>],
            [
              t('events.one.request'),
              event.request_id ? (
                <TraceLink key="request" id={event.request_id}>
                  <code>{event.request_id}</code>
                </TraceLink>
              ) : null,
            ],
          ]}
        />
      </div>
      <Section title={t('events.one.around')} lead={t('events.one.around_hint')}>
        <Around event={event} />
      </Section>
      <Section title={t('events.one.api')}>
        <div className={classes.api}>
          <EventJson event={event} />
          <Copyable label={t('events.api.url')} value={address} />
          <Copyable label={t('events.api.curl')} value={curlOf(address)} />
        </div>
      </Section>
    </>
  )
}

/** The events of the same record right before and after. */
function Around({ event }: { event: LogEvent }) {
  const { t } = useTranslation()
  const query = useQuery(aroundOptions(event))
  const ofType = { 'filter[type]': event.type }
  const integration = event.created_by_integration
  const ofRecord = { 'filter[entity]': event.entity_type, 'filter[entity_id]': String(event.entity_id) }
  return (
    <>
      <Loaded query={query} rows={4}>
        {(events) => (
          <ol className={classes.around} aria-label={t('events.one.around')}>
            {events.map((one) => (
              <Neighbour key={one.id} event={one} isThis={one.id === event.id} />
            ))}
          </ol>
        )}
      </Loaded>
      <p className={classes.more}>
        <Link to="/events" search={ofRecord}>
          {t('events.one.same_record')}
        </Link>
        <Link to="/events" search={ofType}>
          {t('events.one.same_type')}
        </Link>
        {integration && (
          <Link to="/events" search={{ 'filter[integration]': integration.id }}>
            {t('events.one.same_integration', { name: integration.name })}
          </Link>
        )}
      </p>
    </>
  )
}

function Neighbour({ event, isThis }: { event: LogEvent; isThis: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const name = useTypeName()
  const who = useActorName()(event)
  return (
    <li className={classes.nearby} aria-current={isThis || undefined}>
      <time dateTime={new Date(event.created_at * 1000).toISOString()}>{format.exact(event.created_at)}</time>
      <span className={classes.type}>
        {isThis ? (
          <b title={t('events.one.this')}>{name(event) ?? '…'}</b>
        ) : (
          <Link to="/events/$eventId" params={{ eventId: event.id }}>
            {name(event) ?? '…'}
          </Link>
        )}
      </span>
      <span className={classes.change}>
        <ChangeLine event={event} />
      </span>
      <span className={classes.by}>{who}</span>
    </li>
  )
}
