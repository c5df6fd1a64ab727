import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { useFaultText, useProblemText } from '../parts/problem-text.ts'

/** Why a change did not stand, in one sentence: what is wrong with the value, where the server said so. */
export function useReason(): (error: unknown) => string {
  const { t } = useTranslation()
  const problemText = useProblemText()
  const faultText = useFaultText()
  return (error) => {
    const fault = error instanceof Problem ? error.faults[0] : undefined
    const said = fault ? faultText(fault) : problemText(error).title
    return t('card.not_saved', { reason: said })
  }
}
