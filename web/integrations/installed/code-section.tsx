import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { freshCode } from '../../data/installations.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { Section } from '../../parts/layout/section.tsx'
import { CodeCard } from '../code-card.tsx'

/** A code is created on request and only shown here. */
export function CodeSection({ clientId }: { clientId: string }) {
  const { t } = useTranslation()
  const fresh = useAction(freshCode)
  const ask = () => fresh.run(clientId)
  return (
    <Section
      title={t('code.title')}
      lead={t('code.lead')}
      actions={
        !fresh.data && (
          <Button variant="default" onClick={ask} loading={fresh.pending}>
            {t('code.get')}
          </Button>
        )
      }
    >
      {fresh.data && <CodeCard code={fresh.data} onFresh={ask} pending={fresh.pending} />}
    </Section>
  )
}
