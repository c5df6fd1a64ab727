import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { LoggedRequest } from '../data/requests.ts'

const SIGNED_PATH = '/v2/origin/custom/'
const SIGNED_ATTEMPTS = ['chat_message', 'chat_action', 'chat_typing', 'webhook', 'disable_hook']

/** Whether the signature of a request can be checked: a call of the chat API, or an attempt that may be signed. */
export const isSigned = ({
  direction,
  path,
  operation,
}: Pick<LoggedRequest, 'direction' | 'path' | 'operation'>): boolean =>
  direction === 'in' ? path.startsWith(SIGNED_PATH) : SIGNED_ATTEMPTS.includes(operation ?? '')

/** A link to the check of the signature of a recorded request. */
export function SignatureLink({ id }: { id: number }) {
  const { t } = useTranslation()
  return (
    <Link to="/developers/signatures" search={{ request: id }}>
      {t('requests.check_signature')}
    </Link>
  )
}
