import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type NewWebhook, type Webhook, webhooksOptions } from '../data/webhooks.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { isWebAddress } from '../parts/texts/web-address.ts'
import { orderedCodes } from './code-groups.ts'

export interface WebhookDraft extends Record<string, unknown> {
  destination: string
  settings: string[]
}

export const emptyDraft: WebhookDraft = { destination: '', settings: [] }

export const draftOf = ({ destination, settings }: Webhook): WebhookDraft => ({
  destination,
  settings: orderedCodes(settings),
})

export const bodyOf = ({ destination, settings }: WebhookDraft): NewWebhook => ({
  destination: destination.trim(),
  settings: orderedCodes(settings),
})

/** Only changed properties. */
export function changesOf(draft: WebhookDraft, stored: WebhookDraft): Partial<NewWebhook> {
  const [now, before] = [bodyOf(draft), bodyOf(stored)]
  return {
    ...(now.destination !== before.destination && { destination: now.destination }),
    ...(now.settings.join() !== before.settings.join() && { settings: now.settings }),
  }
}

/** `own` is the address of an existing webhook. The server refuses the address of another one, too. */
export function useWebhookForm(initialValues: WebhookDraft, own?: string) {
  const { t } = useTranslation()
  const { data: webhooks = [] } = useQuery(webhooksOptions)
  const isTaken = (address: string) =>
    address !== own && webhooks.some(({ destination }) => destination === address)
  return useForm<WebhookDraft>({
    initialValues,
    validate: {
      destination: (value) => {
        if (!isWebAddress(value)) return t('faults.address')
        return isTaken(value.trim()) ? t('webhooks.form.taken') : null
      },
      settings: (value) => (value.length > 0 ? null : t('webhooks.form.none_chosen')),
    },
  })
}

export type WebhookForm = ReturnType<typeof useWebhookForm>
