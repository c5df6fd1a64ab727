import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindNames } from '../../src/retention/kind-types.ts'
import { type Retention, startDeletion } from '../data/retention.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Section } from '../parts/layout/section.tsx'
import { useFormat } from '../parts/texts/format.ts'

/** The current or last deletion, and the button for one now. */
export function DeletionSection({ run }: { run: Retention['run'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isAsking, setIsAsking] = useState(false)
  const start = useAction(startDeletion, t('retention.run_started'))
  const countsOf = (counts: Retention['run']['deleted']) =>
    kindNames
      .filter((kind) => (counts[kind] ?? 0) > 0)
      .map((kind) => `${t(`retention.kinds.${kind}.title`)}: ${format.number(counts[kind] ?? 0)}`)
      .join(' · ')
  const isBusy = run.state === 'running' || run.state === 'waiting'
  return (
    <Section
      title={t('retention.run')}
      lead={t('retention.run_lead')}
      actions={
        <Button variant="default" disabled={isBusy} onClick={() => setIsAsking(true)}>
          {t('retention.run_now')}
        </Button>
      }
    >
      <DescriptionList
        of={[
          [t('retention.state'), t(`retention.states.${run.state}`)],
          [t('retention.last'), run.ended_at && format.dateTime(run.ended_at)],
          [t('retention.deleted'), run.started_at && (countsOf(run.deleted) || t('retention.nothing'))],
          [t('retention.stayed'), countsOf(run.kept) || null],
          [t('retention.next'), run.state === 'ended' && run.due_at ? format.dateTime(run.due_at) : null],
        ]}
      />
      <Confirm
        opened={isAsking}
        title={t('retention.run_now_title')}
        action={t('retention.run_now')}
        pending={start.pending}
        onConfirm={() => start.run(undefined, () => setIsAsking(false))}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('retention.run_now_text')}</p>
      </Confirm>
    </Section>
  )
}
