import { useTranslation } from 'react-i18next'
import { type Job, jobEnded, moveJob } from '../../data/jobs.ts'
import { queryClient } from '../../data/query-client.ts'
import { useFormat } from '../texts/format.ts'
import { useUndoToast } from '../toasts/undo-toast.tsx'
import { useToast } from '../toasts/use-toast.ts'
import { useNotice } from './use-notice.tsx'

interface Begun {
  id: number
  isDeleting: boolean
  /** The message while the change runs. */
  running: string
}

/**
 * Returns a function that says that a bulk change runs, that it is done, and whether records were rejected. Each message
 * offers to undo it, and the last one says that it is undone.
 */
export function useBulkToasts(): (begun: Begun) => Promise<void> {
  const { t } = useTranslation()
  const format = useFormat()
  const offerUndo = useUndoToast()
  const notify = useNotice()
  const takeBack = useTakeBack()
  return async ({ id, isDeleting, running }) => {
    let isTakenBack = false
    const undo = () => {
      isTakenBack = true
      void takeBack(id)
    }
    const shown = offerUndo(running, undo)
    const job = await jobEnded(id)
    if (!job || isTakenBack) return
    const { state, changed, failed } = job
    if (state === 'done' && (changed > 0 || failed === 0)) {
      const counted = { count: changed, number: format.number(changed) }
      offerUndo(t(isDeleting ? 'bulk.deleted' : 'bulk.changed', counted), undo, shown)
    }
    const count = state === 'done' ? failed : 0
    if (count === 0 && state !== 'failed') return
    notify({
      title: count > 0 ? t('bulk.rejected', { count, number: format.number(count) }) : t('jobs.stopped'),
      job: { id, text: t('bulk.show_reasons') },
    })
  }
}

/** Returns a function that cancels or undoes a job, and says whether all of it is undone. */
function useTakeBack(): (id: number) => Promise<void> {
  const { t } = useTranslation()
  const format = useFormat()
  const toast = useToast()
  const notify = useNotice()
  return async (id) => {
    const move = (name: 'cancel' | 'undo') =>
      queryClient.getMutationCache().build(queryClient, moveJob(id, name)).execute(undefined)
    // The job may have finished before it could be cancelled, so it has to be undone.
    await move('cancel').catch(() => undefined)
    const error = await move('undo').then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    const job = await jobEnded(id)
    if (!job || !isTakenBack(job)) {
      toast.refused(error)
      return
    }
    const { kept: count } = job
    if (count === 0) toast.done(t('bulk.undone'))
    else
      notify({
        title: t('bulk.kept', { count, number: format.number(count) }),
        job: { id, text: t('bulk.show_reasons') },
      })
  }
}

/** A job that was cancelled before it changed anything has nothing to undo. */
const isTakenBack = ({ state, changed }: Job): boolean =>
  state === 'undone' || (state === 'cancelled' && changed === 0)
