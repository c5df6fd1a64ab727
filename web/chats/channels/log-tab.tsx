import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { channelLogOptions } from '../../data/channels.ts'
import { AuditLog } from '../../parts/audit-log.tsx'
import { useChannel } from './channel-page.tsx'

/** The audit log of this channel. */
export function LogTab() {
  const { t } = useTranslation()
  const { id } = useChannel()
  return <AuditLog query={useInfiniteQuery(channelLogOptions(id))} lead={t('channel.log_lead')} />
}
