import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { webhooksOptions } from '../data/webhooks.ts'
import { Section } from '../parts/layout/section.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import { useWebhookColumns } from './webhook-columns.tsx'

/** The webhooks that an integration has subscribed; nothing if it has none. */
export function IntegrationWebhooks({ clientId }: { clientId: string }) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(webhooksOptions)
  const columns = useWebhookColumns()
  const rows = data.filter(({ integration }) => integration?.id === clientId)
  if (rows.length === 0) return null
  return (
    <Section title={t('webhooks.title')}>
      <DataTable label={t('webhooks.title')} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </Section>
  )
}
