import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { addWebhook } from '../data/webhooks.ts'
import forms from '../parts/form.module.css'
import { Page } from '../parts/page.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { bodyOf, emptyDraft, useWebhookForm } from './webhook-form.ts'

/** Adds a webhook and opens its page. */
export function NewWebhookPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const form = useWebhookForm(emptyDraft)
  const { submit, pending, error } = useSubmit(form, addWebhook, {
    done: t('webhooks.form.added'),
    onDone: ({ id }) => navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId: String(id) } }),
  })
  return (
    <Page
      title={t('webhooks.new')}
      lead={t('webhooks.form.new_lead')}
      back={{ to: '/settings/webhooks', label: t('webhooks.title') }}
    >
      <form noValidate onSubmit={form.onSubmit((draft) => submit(bodyOf(draft)))}>
        <WebhookFields form={form} />
        <div className={`${forms.form} ${forms.under}`}>
          <ProblemCallout error={error} />
          <div className={forms.end}>
            <Button type="submit" loading={pending}>
              {t('webhooks.add')}
            </Button>
            <Button variant="subtle" color="gray" component={Link} to="/settings/webhooks">
              {t('act.cancel')}
            </Button>
          </div>
        </div>
      </form>
    </Page>
  )
}
