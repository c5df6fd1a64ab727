import { Button } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Webhook, webhooksOptions } from '../data/webhooks.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Section } from '../parts/layout/section.tsx'
import { SearchedTable } from '../parts/lists/searched-table.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { StoppedNotice } from './stopped-notice.tsx'
import { useWebhookColumns } from './webhook-columns.tsx'
import { isStopped } from './webhook-state.tsx'
import classes from './webhooks.module.css'

/** The webhooks of the account, and how it delivers them. */
export function WebhooksPage() {
  const { t } = useTranslation()
  const query = useQuery(webhooksOptions)
  return (
    <Page
      title={t('webhooks.title')}
      lead={t('webhooks.lead')}
      actions={(query.data?.length ?? 0) > 0 && <AddButton />}
    >
      <Loaded query={query}>
        {(webhooks) => (webhooks.length === 0 ? <NoWebhooks /> : <Webhooks webhooks={webhooks} />)}
      </Loaded>
    </Page>
  )
}

const AddButton = () => {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/settings/webhooks/new" leftSection={<IconPlus size={15} />}>
      {t('webhooks.add')}
    </Button>
  )
}

function Webhooks({ webhooks }: { webhooks: Webhook[] }) {
  const { t } = useTranslation()
  return (
    <>
      <StoppedNotice webhooks={webhooks.filter(isStopped)} />
      <SearchedTable
        label={t('webhooks.title')}
        search={t('webhooks.search')}
        searchFrom={8}
        texts={({ destination, integration }) => [destination, integration?.name ?? '']}
        columns={useWebhookColumns()}
        rows={webhooks}
        rowKey={({ id }) => id}
      />
      <div className={classes.after}>
        <Section beside title={t('webhooks.plan.title')} lead={t('webhooks.plan.lead')}>
          <PlanChoice />
        </Section>
      </div>
    </>
  )
}

function NoWebhooks() {
  const { t } = useTranslation()
  return (
    <EmptyState icon={IconWebhook} title={t('webhooks.empty_title')} action={<AddButton />}>
      {t('webhooks.empty_text')}
    </EmptyState>
  )
}
