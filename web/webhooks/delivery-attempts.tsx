import { useTranslation } from 'react-i18next'
import type { DeliveryDetails } from '../data/webhooks.ts'
import { Status } from '../parts/layout/status.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { useAttemptText } from './use-attempt-text.ts'
import classes from './webhooks.module.css'
import { WireText } from './wire-text.tsx'

type Attempt = DeliveryDetails['tries'][number]

/** The attempts of a delivery, the latest first. */
export function DeliveryAttempts({ tries }: { tries: Attempt[] }) {
  return (
    <ul className={classes.attempts}>
      {tries.toReversed().map((attempt) => (
        <AttemptRow key={attempt.attempt} attempt={attempt} />
      ))}
    </ul>
  )
}

function AttemptRow({ attempt: { attempt, at, duration_ms, status, error, answer } }: { attempt: Attempt }) {
  const { t } = useTranslation()
  const format = useFormat()
  const text = useAttemptText()
  const isAccepted = status !== null && status >= 200 && status < 300
  return (
    <li>
      <div className={classes.attempt}>
        <Status tone={isAccepted ? 'good' : 'danger'}>{text(status, error)}</Status>
        <span className={classes.under}>
          {t('webhooks.delivery.attempt', {
            number: format.number(attempt),
            time: format.exact(at),
            duration: format.number(duration_ms),
          })}
        </span>
      </div>
      {answer && <WireText label={t('webhooks.delivery.answer', { number: attempt })} text={answer} />}
    </li>
  )
}
