import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../data/audit.ts'
import { useActingName } from '../parts/people/acting-name.ts'
import { Avatar } from '../parts/people/avatar.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { TraceLink } from '../parts/trace-link.tsx'
import classes from './audit.module.css'
import { AuditSubject } from './audit-subject.tsx'
import { useAuditDetails } from './use-audit-details.ts'

/** Audit entries by day. Narrow screens show the details below each entry. */
export function AuditList({ entries }: { entries: AuditEntry[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const days = Map.groupBy(entries, ({ at }) => format.day(at))
  return [...days].map(([day, ofDay]) => (
    <section key={day} className={classes.day} aria-label={day}>
      <h2 className={classes.date}>{day}</h2>
      <ol className={classes.list} aria-label={t('audit.list', { day })}>
        {ofDay.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  ))
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const format = useFormat()
  const action = useActionWords()
  const details = useAuditDetails()(entry)
  return (
    <li className={classes.row}>
      <time
        className={classes.time}
        dateTime={new Date(entry.at * 1000).toISOString()}
        title={format.exact(entry.at)}
      >
        {format.time(entry.at)}
      </time>
      <Who entry={entry} />
      <span className={classes.what}>
        <span className={classes.action}>{action(entry.action)}</span> <AuditSubject entry={entry} />
        {details && <span className={classes.details}>{details}</span>}
      </span>
      <span className={classes.where} title={entry.request_id}>
        {entry.address} <TraceLink id={entry.request_id} />
      </span>
    </li>
  )
}

function Who({ entry: { user, integration_id, by_integration } }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const actingName = useActingName()
  if (by_integration) {
    const name = actingName(user?.name, by_integration)
    return (
      <span className={classes.who} title={name}>
        <Avatar name={by_integration.name} size="small" />
        <span className={classes.name}>{name}</span>
      </span>
    )
  }
  // Without an integration, it was the server: it stops a channel or disables a webhook.
  if (!user)
    return <span className={classes.nobody}>{t(integration_id === null ? 'app.nobody' : 'log.nobody')}</span>
  return (
    <span className={classes.who} title={user.name}>
      <Avatar name={user.name} size="small" />
      <span className={classes.name}>{user.name}</span>
    </span>
  )
}

/** Returns the text of an action; an action that this version does not know is shown by its name. */
function useActionWords() {
  const { t, i18n } = useTranslation()
  return (action: string) => {
    const key = `audit.did.${action}`
    return i18n.exists(key) ? t(key as 'audit.did.user.added') : action
  }
}
