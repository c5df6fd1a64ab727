import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../data/chats.ts'

/** Why a message did not get through, or a try failed. */
const known = [
  'exhausted',
  'refused',
  'gone',
  'stopped',
  'disconnected',
  'bad_url',
  'forbidden_address',
  'dns',
  'connect',
  'timeout',
  'tls',
  'reset',
  'protocol',
  'redirect',
] as const
const codes = [901, 902, 903, 904] as const

/** A reason by its name, or by the status that was answered instead of 2xx. */
export function useReason(): (error: string) => string {
  const { t } = useTranslation()
  return (error) => {
    const name = known.find((one) => one === error)
    if (name) return t(`reason.${name}`)
    return /^\d{3}$/.test(error) ? t('reason.status', { status: error }) : t('reason.other')
  }
}

/** What the provider calls it comes first: it knows what happened on the other side. */
export function useFailure(): (message: Pick<ChatMessage, 'error' | 'error_code'>) => string {
  const { t } = useTranslation()
  const reason = useReason()
  return ({ error, error_code }) => {
    const code = codes.find((one) => one === error_code)
    // 905 is whatever the provider says.
    if (!code) return error_code && error ? error : reason(error ?? '')
    return error ? `${t(`reason.code.${code}`)} ${error}` : t(`reason.code.${code}`)
  }
}
