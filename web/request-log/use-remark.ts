import { useTranslation } from 'react-i18next'
import { readSentence } from '../../src/http/problems/fault-types.ts'
import { useColleagueName } from '../data/colleagues.ts'
import type { LoggedRequest } from '../data/requests.ts'
import type { SignatureCheck } from '../data/signatures.ts'
import { useEndSentence } from '../integrations/tokens/end-text.tsx'
import { useCodeText } from '../parts/layout/problem-text.ts'

type MistakeId = SignatureCheck['mistakes'][number]['id']
export type Refused = NonNullable<LoggedRequest['why']>

/**
 * Why a request was refused. The rule is the server's, in English, and the most exact text. Other languages have texts
 * of their own for ended tokens, wrong signatures, faults of the input and the codes that the application knows.
 */
export function useReason(): (why: Refused) => string {
  const { t, i18n } = useTranslation()
  const endSentence = useEndSentence()
  const nameOf = useColleagueName()
  const codeText = useCodeText()
  const faultText = useFaultText()
  return ({ rule, code, token, faults = [], signature }) => {
    if (i18n.language === 'en') return rule
    if (signature && signature.mistakes.length > 0)
      return signature.mistakes
        .map(({ id, detail }) => [t(`signatures.mistakes.${id as MistakeId}`), detail ?? ''].join(' ').trim())
        .join(' ')
    if (token?.reason)
      return endSentence(
        { ...token, reason: token.reason, request_id: token.caused_by },
        nameOf(token.by ?? 0),
      )
    if (faults.length > 0) return faults.map(faultText).join(' ')
    return codeText(code) ?? rule
  }
}

/** A fault of the input in the reader's language. The text of a rule that is in no schema stays English. */
function useFaultText(): (fault: { path: string; detail: string }) => string {
  const { t } = useTranslation()
  return ({ path, detail }) => {
    const sentence = readSentence(detail)
    const text = sentence ? t(`requests.fault.${sentence.id}`, sentence.parameters) : detail
    return path === '' ? text : `${path}: ${text}`
  }
}

/** The most important finding: why the request was refused, why there was no answer, or the unread members. */
export function useRemark(): (request: Pick<LoggedRequest, 'why' | 'error' | 'unread'>) => string {
  const { t } = useTranslation()
  const reason = useReason()
  return ({ why, error, unread }) => {
    if (why) return reason(why)
    return error ?? (unread.length > 0 ? t('requests.unread_of', { names: unread.join(', ') }) : '')
  }
}
