import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { useFaultText, useProblemText } from '../parts/problem-text.ts'

/** Why a change did not stand, in one sentence: the fault of the value if the server named one, otherwise the problem. */
export function useNotSavedText(): (error: unknown) => string {
  const { t } = useTranslation()
  const problemText = useProblemText()
  const faultText = useFaultText()
  return (error) => {
    const fault = error instanceof Problem ? error.faults[0] : undefined
    const reason = fault ? faultText(fault) : problemText(error).title
    return t('card.not_saved', { reason: reason })
  }
}
