import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Cancelled } from '../api/problem.ts'
import { Callout } from './callout.tsx'
import { useProblemText } from './problem-text.ts'

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
        onRetry && (
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
