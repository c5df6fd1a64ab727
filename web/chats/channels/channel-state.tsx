import { useTranslation } from 'react-i18next'
import type { Channel } from '../../data/channels.ts'
import { Status } from '../../parts/layout/status.tsx'

/** The state of a channel: working, failing or stopped. */
export function ChannelState({ of }: { of: Pick<Channel, 'state' | 'health'> }) {
  const { t } = useTranslation()
  const { failures, opens_at, last_success_at } = of.health
  if (of.state === 'stopped') return <Status tone="danger">{t('channels.state.stopped')}</Status>
  if (opens_at !== null) return <Status tone="danger">{t('channels.state.down')}</Status>
  if (failures > 0) return <Status tone="warn">{t('channels.state.failing')}</Status>
  if (last_success_at === null) return <Status tone="off">{t('channels.state.unused')}</Status>
  return <Status tone="good">{t('channels.state.works')}</Status>
}
