import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Callout } from '../parts/layout/callout.tsx'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Section } from '../parts/layout/section.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './request-page.module.css'
import { useRequest } from './request-page.tsx'
import { type Refused, useReason } from './use-remark.ts'

/** Why the request was refused, and what of it nothing reads. */
export function WhyTab() {
  const { t } = useTranslation()
  const { why, error, unread } = useRequest()
  return (
    <div className={classes.why}>
      <Section title={t('requests.why.answer')}>
        {why ? <Rule why={why} /> : <p className={classes.quiet}>{error ?? t('requests.why.not_refused')}</p>}
      </Section>
      {why?.token && (
        <Section title={t('requests.why.token')}>
          <Token token={why.token} />
        </Section>
      )}
      <Section title={t('requests.why.unread')} lead={t('requests.why.unread_lead')}>
        {unread.length === 0 ? (
          <p className={classes.quiet}>{t('requests.why.all_read')}</p>
        ) : (
          <ul className={classes.members} aria-label={t('requests.why.unread')}>
            {unread.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  )
}

/** The reason in the reader's language, and the rule as the server has it. */
function Rule({ why }: { why: Refused }) {
  const { t } = useTranslation()
  const { rule, code, docs } = why
  const reason = useReason()(why)
  return (
    <Callout
      tone="warn"
      title={reason}
      actions={
        <a href={docs} target="_blank" rel="noreferrer">
          {t('requests.why.docs')}
        </a>
      }
    >
      {reason !== rule && <p lang="en">{rule}</p>}
      {code && <code>{code}</code>}
    </Callout>
  )
}

function Token({ token: { kind, state, at, caused_by, used_by } }: { token: NonNullable<Refused['token']> }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <DescriptionList
      of={[
        [t('requests.why.kind'), t(`requests.why.kinds.${kind}`)],
        [t('requests.why.state'), t(`requests.why.states.${state}`)],
        [t('requests.why.since'), at === null ? null : format.exact(at)],
        [t('requests.why.caused_by'), caused_by && <ToRequest key="cause" id={caused_by} />],
        [t('requests.why.used_by'), used_by && <ToRequest key="use" id={used_by} />],
      ]}
    />
  )
}

const ToRequest = ({ id }: { id: string }) => (
  <Link to="/developers/requests" search={{ request_id: id }}>
    <code>{id}</code>
  </Link>
)
