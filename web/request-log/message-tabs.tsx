import { useTranslation } from 'react-i18next'
import type { LoggedMessage } from '../data/requests.ts'
import { Section } from '../parts/layout/section.tsx'
import { BodyView, NoBody } from './body-view.tsx'
import classes from './request-page.module.css'
import { useRequest } from './request-page.tsx'

/** The request that was sent. */
export function RequestTab() {
  const { request, query } = useRequest()
  return <MessageView message={request} query={query} />
}

/** The answer to the request. */
export function AnswerTab() {
  const { t } = useTranslation()
  const { response, status, error } = useRequest()
  if (status === null)
    return <p className={classes.quiet}>{t('requests.no_answer', { error: error ?? '' })}</p>
  return <MessageView message={response} />
}

function MessageView({ message, query = '' }: { message: LoggedMessage; query?: string }) {
  const { t } = useTranslation()
  const headers = Object.entries(message.headers)
  return (
    <div className={classes.message}>
      {query !== '' && (
        <Section title={t('requests.parameters')}>
          <Pairs of={[...new URLSearchParams(query)]} />
        </Section>
      )}
      <Section title={t('requests.headers')}>
        {headers.length === 0 ? (
          <p className={classes.quiet}>{t('requests.no_headers')}</p>
        ) : (
          <Pairs of={headers} />
        )}
      </Section>
      {message.body === null ? (
        <Section title={t('requests.body')}>
          <NoBody message={message} />
        </Section>
      ) : (
        <BodyView message={message} body={message.body} />
      )}
    </div>
  )
}

/** Names and values. A name can occur several times. */
function Pairs({ of }: { of: [name: string, value: string][] }) {
  return (
    <dl className={classes.headers}>
      {of.map(([name, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a recorded request does not change.
        <Pair key={i} name={name} value={value} />
      ))}
    </dl>
  )
}

const Pair = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)
