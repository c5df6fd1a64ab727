import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { useFaultText, useProblemText } from '../parts/problem-text.ts'

/**
 * Returns one sentence about why a change was not saved: the fault of the value if there is one, else the problem.
 */
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
