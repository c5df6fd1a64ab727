import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { logOptions } from '../../data/integrations.ts'
import { AuditLog } from '../../parts/audit-log.tsx'
import { useIntegration } from './integration-window.tsx'

/** The audit log of this integration. */
export function LogTab() {
  const { t } = useTranslation()
  const { id } = useIntegration()
  return <AuditLog query={useInfiniteQuery(logOptions(id))} lead={t('log.lead')} />
}
