import { useTranslation } from 'react-i18next'
import type { Webhook } from '../data/webhooks.ts'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Section } from '../parts/layout/section.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { RelativeTime } from '../parts/texts/relative-time.tsx'
import { useAttemptText } from './use-attempt-text.ts'
import classes from './webhooks.module.css'

/** How the address of a webhook has answered. */
export function HealthDetails({ webhook: { destination, health } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { waiting, failures, last_success_at, last_failure_at, last_error } = health
  const error = useErrorText()
  return (
    <Section title={t('webhooks.health.title')}>
      <div className={classes.details}>
        <DescriptionList
          of={[
            [t('webhooks.form.url'), <code key="url">{destination}</code>],
            [t('webhooks.health.waiting'), format.number(waiting)],
            [t('webhooks.health.failures'), failures > 0 ? format.number(failures) : null],
            [t('webhooks.health.last_error'), last_error && error(last_error)],
            [t('webhooks.health.last_failure'), last_failure_at && <RelativeTime at={last_failure_at} />],
            [
              t('webhooks.health.last_success'),
              last_success_at ? (
                <RelativeTime key="success" at={last_success_at} />
              ) : (
                t('webhooks.health.never')
              ),
            ],
          ]}
        />
      </div>
    </Section>
  )
}

/** The last error is a status or a reason. */
function useErrorText() {
  const attemptText = useAttemptText()
  return (error: string) =>
    /^\d+$/.test(error) ? attemptText(Number(error), null) : attemptText(null, error)
}
