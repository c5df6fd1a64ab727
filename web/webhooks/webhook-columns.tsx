import { Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '../data/webhooks.ts'
import type { Column } from '../parts/lists/data-table.tsx'
import { usePersonText } from '../parts/people/use-person-text.ts'
import { useFormat } from '../parts/texts/format.ts'
import { orderedCodes } from './code-groups.ts'
import { WebhookState } from './webhook-state.tsx'
import classes from './webhooks.module.css'

export function useWebhookColumns(): Column<Webhook>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const owner = useOwner()
  return [
    {
      title: t('webhooks.column.address'),
      cell: (webhook) => (
        <span className={classes.stack}>
          <Link to="/settings/webhooks/$webhookId" params={{ webhookId: String(webhook.id) }} data-row-link>
            {webhook.destination}
          </Link>
          <span className={classes.under}>{owner(webhook)}</span>
        </span>
      ),
    },
    { title: t('webhooks.column.state'), cell: (webhook) => <WebhookState of={webhook} /> },
    {
      title: t('webhooks.column.changes'),
      showFrom: 'medium',
      cell: ({ settings }) => <Changes settings={settings} />,
    },
    {
      title: t('webhooks.column.waiting'),
      showFrom: 'wide',
      cell: ({ health }) => format.number(health.waiting),
    },
  ]
}

/** The person or the integration that added a webhook. */
function useOwner(): (webhook: Webhook) => string {
  const { t } = useTranslation()
  const personText = usePersonText()
  return ({ integration, created_by }) =>
    integration
      ? t('webhooks.by_integration', { name: integration.name })
      : t('webhooks.by_person', { name: personText(created_by) ?? '…' })
}

/** As many names as the column has room for; the tooltip has all of them. */
const NAMED = 2

function Changes({ settings }: { settings: readonly string[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const names = orderedCodes(settings).map((code) => t(`webhooks.codes.${code}`))
  if (names.length <= NAMED) return <span>{names.join(', ')}</span>
  const count = names.length - NAMED
  return (
    <Tooltip label={names.join(', ')} multiline maw={360}>
      <span>
        {t('webhooks.more_changes', {
          names: names.slice(0, NAMED).join(', '),
          count,
          number: format.number(count),
        })}
      </span>
    </Tooltip>
  )
}
