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
  const { t } = useTranslation()
  const { id, state, failed } = job
  const hasFile = failed > 0 && !['draft', 'waiting', 'running'].includes(state)
  return (
    <>
      {hasFile && (
        <Button
          variant="default"
          component="a"
          href={failuresFile(id)}
          download
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          {t('jobs.download_failures')}
        </Button>
      )}
      {state === 'draft' && <CancelButton job={job} words="import.discard" toList />}
      {(state === 'waiting' || state === 'running') && <CancelButton job={job} words="jobs.cancel" />}
      {job.can_undo && <UndoButton job={job} />}
    </>
  )
}

interface CancelProps {
  job: Job
  words: 'import.discard' | 'jobs.cancel'
  toList?: boolean
}

function CancelButton({ job, words, toList }: CancelProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const cancel = useAction(moveJob(job.id, 'cancel'))
  const after = () => {
    if (toList) navigate({ to: '/import' })
  }
  return (
    <Button variant="default" loading={cancel.pending} onClick={() => cancel.run(undefined, after)}>
      {t(words)}
    </Button>
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
