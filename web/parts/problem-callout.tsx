import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Cancelled, Problem } from '../api/problem.ts'
import { Callout } from './callout.tsx'
import { useProblemText } from './problem-text.ts'

/** What is forbidden or gone stays so, however often one asks. */
const canChange = (error: unknown) => !(error instanceof Problem && [403, 404].includes(error.status))

/** A refusal where the answer should have been; `onRetry` asks once more. */
export function ProblemCallout({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  const text = useProblemText()
  if (!error || error instanceof Cancelled) return null
  const { title, detail } = text(error)
  return (
    <Callout
      tone="danger"
      title={title}
      live
      actions={
        onRetry &&
        canChange(error) && (
          <Button variant="default" onClick={onRetry}>
            {t('act.try_again')}
          </Button>
        )
      }
    >
      {detail}
    </Callout>
  )
}
