import { useTranslation } from 'react-i18next'
import type { Webhook } from '../data/webhooks.ts'
import { Status, type Tone } from '../parts/layout/status.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './webhooks.module.css'

type Stated = Pick<Webhook, 'disabled' | 'disable_reason' | 'health'>

const states = {
  disabled: 'off',
  stopped: 'danger',
  paused: 'danger',
  recovering: 'warn',
  failing: 'warn',
  unused: 'off',
  works: 'good',
} as const satisfies Record<string, Tone>

type State = keyof typeof states

/** Whether failures disabled a webhook, and not a person. */
export const isStopped = ({ disable_reason }: Pick<Webhook, 'disable_reason'>): boolean =>
  disable_reason === 'failures' || disable_reason === 'gone' || disable_reason === 'dead'

export function stateOf({ disabled, disable_reason, health }: Stated): State {
  if (disabled) return isStopped({ disable_reason }) ? 'stopped' : 'disabled'
  if (health.state === 'open') return 'paused'
  if (health.state === 'recovering') return 'recovering'
  if (health.failures > 0 || health.is_retrying) return 'failing'
  return health.last_success_at === null ? 'unused' : 'works'
}

/** Whether a webhook works, and otherwise since when or why it does not. `short` leaves that out. */
export function WebhookState({ of, short }: { of: Stated; short?: boolean }) {
  const { t } = useTranslation()
  const state = stateOf(of)
  const detail = useDetail(of)
  return (
    <span className={classes.state}>
      <Status tone={states[state]}>{t(`webhooks.state.${state}`)}</Status>
      {detail && !short && <span className={classes.under}>{detail}</span>}
    </span>
  )
}

function useDetail(of: Stated): string | null {
  const { t } = useTranslation()
  const format = useFormat()
  const { failing_since, next_probe_at } = of.health
  if (of.disabled) return of.disable_reason && t(`webhooks.reason.${of.disable_reason}`)
  if (next_probe_at !== null) return t('webhooks.next_at', { time: format.dateTime(next_probe_at) })
  return failing_since === null ? null : t('webhooks.since', { time: format.dateTime(failing_since) })
}
