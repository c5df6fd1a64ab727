import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetWebhook, patchWebhook, removeWebhook, type Webhook } from '../data/webhooks.ts'
import { Confirm } from '../parts/confirm.tsx'
import { ProblemCallout } from '../parts/problem-callout.tsx'
import { SaveBar } from '../parts/save-bar.tsx'
import { Section } from '../parts/section.tsx'
import { useAction } from '../parts/use-action.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { shortAddress } from './webhook-address.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { changesOf, draftOf, useWebhookForm } from './webhook-form.ts'
import { useWebhook } from './webhook-page.tsx'

/** The address of a webhook and the changes that it subscribes to. */
export function SettingsTab() {
  const { t } = useTranslation()
  const webhook = useWebhook()
  const stored = draftOf(webhook)
  const form = useWebhookForm(stored, webhook.destination)
  const { submit, pending, error } = useSubmit(form, patchWebhook, {
    done: t('app.saved'),
    onDone: (patched) => {
      form.setInitialValues(draftOf(patched))
      form.setValues(draftOf(patched))
    },
  })
  const changes = changesOf(form.values, stored)
  return (
    <>
      <form noValidate onSubmit={form.onSubmit(() => submit({ id: webhook.id, ...changes }))}>
        <WebhookFields form={form} />
        <ProblemCallout error={error} />
        <SaveBar
          shown={Object.keys(changes).length > 0}
          pending={pending}
          onDiscard={() => {
            form.setValues(stored)
            form.clearErrors()
          }}
        />
      </form>
      <Remove webhook={webhook} />
    </>
  )
}

function Remove({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const remove = useAction(removeWebhook, t('webhooks.removed'))
  const leave = async () => {
    await navigate({ to: '/settings/webhooks' })
    forgetWebhook(webhook.id)
  }
  return (
    <Section
      title={t('webhooks.remove')}
      lead={t('webhooks.remove_lead')}
      actions={
        <Button variant="default" color="danger" onClick={() => setIsAsking(true)}>
          {t('webhooks.remove')}
        </Button>
      }
    >
      <Confirm
        opened={isAsking}
        title={t('webhooks.remove_title', { address: shortAddress(webhook.destination) })}
        action={t('webhooks.remove')}
        pending={remove.pending}
        onConfirm={() => remove.run(webhook.id, leave)}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('webhooks.remove_text')}</p>
      </Confirm>
    </Section>
  )
}
