import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { forgetWebhook, patchWebhook, removeWebhook } from '../data/webhooks.ts'
import { RemoveSection } from '../parts/dialogs/remove-section.tsx'
import { StoredForm } from '../parts/forms/stored-form.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { shortAddress } from './webhook-address.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { changesOf, draftOf, useWebhookForm } from './webhook-form.ts'
import { useWebhook } from './webhook-page.tsx'

/** The address of a webhook and the changes that it subscribes to. */
export function SettingsTab() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const webhook = useWebhook()
  const form = useWebhookForm(draftOf(webhook), webhook.destination)
  const remove = useAction(removeWebhook, t('webhooks.removed'))
  const leave = async () => {
    await navigate({ to: '/settings/webhooks', ignoreBlocker: true })
    forgetWebhook(webhook.id)
  }
  return (
    <>
      <StoredForm form={form} stored={webhook} draftOf={draftOf} changesOf={changesOf} patch={patchWebhook}>
        <WebhookFields form={form} />
      </StoredForm>
      <RemoveSection
        action={t('webhooks.remove')}
        lead={t('webhooks.remove_lead')}
        confirm={{
          title: t('webhooks.remove_title', { address: shortAddress(webhook.destination) }),
          text: t('webhooks.remove_text'),
        }}
        pending={remove.pending}
        onRemove={() => remove.run(webhook.id, leave)}
      />
    </>
  )
}
