import { useTranslation } from 'react-i18next'

/** Reasons why there was no answer. Integrations have the texts of most of them. */
const reasons = [
  'bad_url',
  'forbidden_address',
  'dns',
  'connect',
  'timeout',
  'tls',
  'reset',
  'protocol',
] as const
const ownReasons = ['redirect', 'fault'] as const

/** Returns the result of an attempt in words: the status of the answer, or why there was none. */
export function useAttemptText(): (status: number | null, error: string | null) => string {
  const { t } = useTranslation()
  return (status, error) => {
    if (status !== null) return t('webhooks.delivery.status', { status })
    const own = ownReasons.find((one) => one === error)
    if (own) return t(`webhooks.delivery.error.${own}`)
    const reason = reasons.find((one) => one === error)
    return reason ? t(`redirect.reason.${reason}`) : t('redirect.reason.other', { error })
  }
}
