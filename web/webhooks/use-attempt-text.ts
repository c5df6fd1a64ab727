import { useTranslation } from 'react-i18next'
import { outboundReasons } from '../../src/outbound/reason-types.ts'

/** Errors without an outbound reason. */
const ownReasons = ['redirect', 'fault'] as const

/** Returns the result of an attempt in words: the status of the answer, or why there was none. */
export function useAttemptText(): (status: number | null, error: string | null) => string {
  const { t } = useTranslation()
  return (status, error) => {
    if (status !== null) return t('webhooks.delivery.status', { status })
    const own = ownReasons.find((one) => one === error)
    if (own) return t(`webhooks.delivery.error.${own}`)
    const reason = outboundReasons.find((one) => one === error)
    return reason ? t(`redirect.reason.${reason}`) : t('redirect.reason.other', { error })
  }
}
