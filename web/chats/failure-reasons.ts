import { useTranslation } from 'react-i18next'
import { outboundReasons } from '../../src/outbound/reason-types.ts'
import type { ChatMessage } from '../data/messages.ts'

/** Known reasons why a message or an attempt failed. */
const known = [
  'exhausted',
  'refused',
  'gone',
  'stopped',
  'disconnected',
  ...outboundReasons,
  'redirect',
] as const
const codes = [901, 902, 903, 904] as const

/** Explains a failure by its name, or by the HTTP status of the provider. */
export function useReason(): (error: string) => string {
  const { t } = useTranslation()
  return (error) => {
    const name = known.find((one) => one === error)
    if (name) return t(`reason.${name}`)
    return /^\d{3}$/.test(error) ? t('reason.status', { status: error }) : t('reason.other')
  }
}

/** Explains why a message failed. The provider's own code comes first, because it is more specific. */
export function useFailure(): (message: Pick<ChatMessage, 'error' | 'error_code'>) => string {
  const { t } = useTranslation()
  const reason = useReason()
  return ({ error, error_code }) => {
    const code = codes.find((one) => one === error_code)
    // Code 905 has a text of the provider.
    if (!code) return error_code && error ? error : reason(error ?? '')
    return error ? `${t(`reason.code.${code}`)} ${error}` : t(`reason.code.${code}`)
  }
}
