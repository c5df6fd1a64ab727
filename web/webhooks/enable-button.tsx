import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { patchWebhook, type Webhook } from '../data/webhooks.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { shortAddress } from './webhook-address.ts'

/** Enables a webhook: failures are counted from zero. */
export function EnableButton({ webhook: { id, destination } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const enable = useAction(patchWebhook, t('webhooks.enabled'))
  return (
    <Button
      variant="default"
      loading={enable.pending}
      aria-label={t('webhooks.enable_of', { address: shortAddress(destination) })}
      onClick={() => enable.run({ id, disabled: false })}
    >
      {t('webhooks.enable')}
    </Button>
  )
}
