import { useTranslation } from 'react-i18next'
import type { Delivery } from '../data/webhooks.ts'
import { Status, type Tone } from '../parts/layout/status.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './webhooks.module.css'

const tones = {
  ready: 'off',
  in_flight: 'off',
  held: 'off',
  paused: 'warn',
  delivered: 'good',
  failed: 'danger',
} as const satisfies Record<Delivery['state'], Tone>

/** The state of a delivery, with the time of the next attempt. */
export function DeliveryState({ of }: { of: Pick<Delivery, 'state' | 'attempts' | 'next_attempt_at'> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, attempts, next_attempt_at } = of
  const isRepeated = state === 'ready' && attempts > 0
  return (
    <span className={classes.state}>
      <Status tone={isRepeated ? 'warn' : tones[state]}>
        {t(isRepeated ? 'webhooks.delivery.state.repeated' : `webhooks.delivery.state.${state}`)}
      </Status>
      {isRepeated && next_attempt_at !== null && (
        <span className={classes.under}>
          {t('webhooks.next_at', { time: format.dateTime(next_attempt_at) })}
        </span>
      )}
    </span>
  )
}
