import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type LoggedRequest, relatedOptions } from '../data/requests.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { TraceLink } from '../parts/trace-link.tsx'
import rows from './caused-tab.module.css'
import classes from './request-page.module.css'
import { useRequest } from './request-page.tsx'
import { RequestRow } from './request-row.tsx'

/** The requests that this one sent. An attempt shows the request that caused it. */
export function CausedTab() {
  const { t } = useTranslation()
  const request = useRequest()
  if (request.request_id === '') return <p className={classes.quiet}>{t('requests.caused.alone')}</p>
  return (
    <>
      <p className={rows.trace}>
        <TraceLink id={request.request_id}>{t('requests.caused.trace')}</TraceLink>
      </p>
      <Related request={request} />
    </>
  )
}

function Related({ request }: { request: Pick<LoggedRequest, 'id' | 'request_id' | 'at'> }) {
  const query = useQuery(relatedOptions(request))
  return (
    <Loaded query={query} rows={3}>
      {(related) => {
        const others = related.filter(({ id }) => id !== request.id)
        return (
          <>
            <Part name="cause" of={others.filter(({ direction }) => direction === 'in')} />
            <Part name="sent" of={others.filter(({ direction }) => direction === 'out')} isAlways />
          </>
        )
      }}
    </Loaded>
  )
}

interface PartProps {
  name: 'cause' | 'sent'
  of: LoggedRequest[]
  /** Says that there is nothing. */
  isAlways?: boolean
}

function Part({ name, of, isAlways = false }: PartProps) {
  const { t } = useTranslation()
  if (of.length === 0 && !isAlways) return null
  const title = t(`requests.caused.${name}`)
  return (
    <Section title={title} lead={t(`requests.caused.${name}_lead`)}>
      {of.length === 0 ? (
        <p className={classes.quiet}>{t('requests.caused.nothing')}</p>
      ) : (
        <ul className={rows.list} aria-label={title}>
          {of.map((one) => (
            <li key={one.id}>
              <RequestRow request={one} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
