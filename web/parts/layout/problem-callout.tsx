import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Cancelled, isOutdated, Problem } from '../../api/problem.ts'
import { Callout } from './callout.tsx'
import { useProblemText } from './problem-text.ts'

/** Retrying does not help if something is forbidden or missing. */
const canChange = (error: unknown) => !(error instanceof Problem && [403, 404].includes(error.status))

/** Shows an error instead of data; `onRetry` adds a retry button. */
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
            {isOutdated(error) ? t('replaced.reload') : t('act.try_again')}
          </Button>
        )
      }
    >
      {detail}
    </Callout>
  )
}
