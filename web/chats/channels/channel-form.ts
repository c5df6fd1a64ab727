import { useTranslation } from 'react-i18next'
import type { Channel, NewChannel } from '../../data/channels.ts'
import { useForm } from '../../parts/forms/use-form.ts'
import { isWebAddress } from '../../parts/texts/web-address.ts'

/** The values of the form. An empty text for the integration is null in the API. */
export interface ChannelDraft extends Record<string, unknown> {
  name: string
  callback_url: string
  integration_id: string
  protocol: Channel['protocol']
  delivery: Channel['delivery']
}

export const emptyDraft: ChannelDraft = {
  name: '',
  callback_url: '',
  integration_id: '',
  protocol: 'spec',
  delivery: 'retry',
}

export const draftOf = ({
  name,
  callback_url,
  integration_id,
  protocol,
  delivery,
}: Channel): ChannelDraft => ({
  name,
  callback_url,
  integration_id: integration_id ?? '',
  protocol,
  delivery,
})

export const bodyOf = ({
  name,
  callback_url,
  integration_id,
  protocol,
  delivery,
}: ChannelDraft): NewChannel => ({
  name: name.trim(),
  callback_url: callback_url.trim(),
  integration_id: integration_id || null,
  protocol,
  delivery,
})

/** Only changed properties: an unchanged callback URL must not require the password. */
export function changesOf(draft: ChannelDraft, stored: ChannelDraft): Partial<NewChannel> {
  const before = bodyOf(stored)
  return Object.fromEntries(
    Object.entries(bodyOf(draft)).filter(([name, value]) => value !== before[name as keyof NewChannel]),
  )
}

export function useChannelForm(initialValues: ChannelDraft) {
  const { t } = useTranslation()
  return useForm<ChannelDraft>({
    initialValues,
    validate: {
      name: (value) => (value.trim() ? null : t('faults.NotBlank')),
      callback_url: (value) => (isWebAddress(value) ? null : t('faults.address')),
    },
  })
}

export type ChannelForm = ReturnType<typeof useChannelForm>
