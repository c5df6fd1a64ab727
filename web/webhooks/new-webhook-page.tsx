import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { addWebhook } from '../data/webhooks.ts'
import { NewForm } from '../parts/forms/new-form.tsx'
import { Page } from '../parts/layout/page.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { bodyOf, emptyDraft, useWebhookForm } from './webhook-form.ts'

/** Adds a webhook and opens its page. */
export function NewWebhookPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const form = useWebhookForm(emptyDraft)
  return (
    <Page
      title={t('webhooks.new')}
      lead={t('webhooks.form.new_lead')}
      back={{ to: '/settings/webhooks', label: t('webhooks.title') }}
    >
      <NewForm
        form={form}
        bodyOf={bodyOf}
        add={addWebhook}
        action={t('webhooks.add')}
        done={t('webhooks.form.added')}
        onDone={({ id }) =>
          navigate({
            to: '/settings/webhooks/$webhookId',
            params: { webhookId: String(id) },
            replace: true,
          })
        }
        back="/settings/webhooks"
      >
        <WebhookFields form={form} />
      </NewForm>
    </Page>
  )
}
