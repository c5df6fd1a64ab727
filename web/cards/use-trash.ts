import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { moveToTrash, restoreRecord } from '../data/trash.ts'
import { useUndoToast } from '../parts/toasts/undo-toast.tsx'
import { useToast } from '../parts/toasts/use-toast.ts'
import { useCard } from './card-context.tsx'

/** Moves the record to the trash and back. The card remounts then, so the callbacks must not depend on its state. */
export function useTrash() {
  const { t } = useTranslation()
  const { collection, id, record } = useCard()
  const offerUndo = useUndoToast()
  const toast = useToast()
  const [pending, setPending] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setPending(true)
    try {
      await work()
    } catch (error) {
      toast.refused(error)
    }
    setPending(false)
  }
  const restore = () =>
    run(async () => {
      await restoreRecord(collection, id)
      toast.done(t('card.restored'))
    })
  const remove = () =>
    run(async () => {
      await moveToTrash(collection, id)
      offerUndo(t('card.trashed', { name: record.name || `#${id}` }), restore)
    })
  return { remove, restore, pending }
}
