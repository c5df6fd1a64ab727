import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { failuresFile, type Job, moveJob } from '../data/jobs.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useFormat } from '../parts/texts/format.ts'

/** The actions that the state of a job allows: discard, stop, undo, download rejected rows. */
export function JobActions({ job }: { job: Job }) {
  const { t, i18n } = useTranslation()
  const { id, state, failed } = job
  const hasFile = failed > 0 && !['draft', 'waiting', 'running'].includes(state)
  return (
    <>
      {hasFile && (
        <Button
          variant="default"
          component="a"
          href={failuresFile(id, i18n.language)}
          download
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          {t('jobs.download_failures')}
        </Button>
      )}
      {state === 'draft' && <DiscardButton job={job} />}
      {(state === 'waiting' || state === 'running') && <StopButton job={job} />}
      {job.can_undo && <UndoButton job={job} />}
    </>
  )
}

function StopButton({ job }: { job: Job }) {
  const { t } = useTranslation()
  const cancel = useAction(moveJob(job.id, 'cancel'))
  return (
    <Button variant="default" loading={cancel.pending} onClick={() => cancel.run(undefined)}>
      {t('jobs.cancel')}
    </Button>
  )
}

function DiscardButton({ job }: { job: Job }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [asks, { open, close }] = useDisclosure()
  const cancel = useAction(moveJob(job.id, 'cancel'))
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('import.discard')}
      </Button>
      <Confirm
        opened={asks}
        title={t('import.discard_title')}
        action={t('import.discard')}
        pending={cancel.pending}
        onConfirm={() => cancel.run(undefined, () => navigate({ to: '/import' }))}
        onClose={close}
      >
        {t('import.discard_text')}
      </Confirm>
    </>
  )
}

function UndoButton({ job }: { job: Job }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [asks, { open, close }] = useDisclosure()
  const undo = useAction(moveJob(job.id, 'undo'))
  const { added, changed, changes } = job
  const counted = (count: number) => ({ count, number: format.number(count) })
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={15} aria-hidden />} onClick={open}>
        {t('jobs.undo')}
      </Button>
      <Confirm
        opened={asks}
        title={t('jobs.undo_title')}
        action={t('jobs.undo')}
        pending={undo.pending}
        onConfirm={() => undo.run(undefined, close)}
        onClose={close}
      >
        <ul>
          {added > 0 && <li>{t('jobs.undo_added', counted(added))}</li>}
          {changed > 0 && !changes?.delete && <li>{t('jobs.undo_changed', counted(changed))}</li>}
          {changed > 0 && changes?.delete && <li>{t('jobs.undo_deleted', counted(changed))}</li>}
        </ul>
      </Confirm>
    </>
  )
}
