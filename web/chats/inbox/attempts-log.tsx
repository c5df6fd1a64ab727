import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Attempt, attemptsOptions, type ChatMessage } from '../../data/messages.ts'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Status } from '../../parts/layout/status.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { TraceLink } from '../../parts/trace-link.tsx'
import { useReason } from '../failure-reasons.ts'
import classes from './attempts-log.module.css'

/** All attempts to deliver a message, with the provider's responses. */
export function AttemptsLog({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const { t } = useTranslation()
  const query = useQuery(attemptsOptions(message))
  return (
    <div className={classes.log}>
      <div className={classes.head}>
        <h3>{t('attempts.title')}</h3>
        <CloseButton
          size="sm"
          onClick={onClose}
          aria-label={t('act.close')}
          title={t('act.close')}
          data-autofocus
        />
      </div>
      <Loaded query={query} rows={2}>
        {(attempts) =>
          attempts.length === 0 ? (
            <p className={classes.none}>{t('attempts.none')}</p>
          ) : (
            <ol className={classes.list}>
              {attempts.map((attempt) => (
                <Try key={`${attempt.attempt} ${attempt.at}`} attempt={attempt} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </div>
  )
}

function Try({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation()
  const format = useFormat()
  const reason = useReason()
  const { status, error, answer, at, duration_ms, request_id } = attempt
  const isTaken = status !== null && status >= 200 && status < 300
  const result = status === null ? reason(error ?? '') : t('attempts.answered', { status })
  return (
    <li className={classes.try}>
      <div className={classes.line}>
        <Status tone={isTaken ? 'good' : 'danger'}>{result}</Status>
        <span className={classes.took}>{t('attempts.took', { ms: format.number(duration_ms) })}</span>
        <TraceLink id={request_id} className={classes.took} />
      </div>
      <div className={classes.when}>{format.exact(at)}</div>
      {answer && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keys too
        <code className={classes.answer} tabIndex={0}>
          {answer}
        </code>
      )}
    </li>
  )
}
