import { useMutation } from '@tanstack/react-query'
import { newKey } from '../../api/keys.ts'
import { Cancelled } from '../../api/problem.ts'
import { addNote, type Card, type NewNote } from '../../data/timeline.ts'
import { useToast } from '../../parts/toasts/use-toast.ts'
import { restoreWriteDraft, type WriteDraft } from './write-drafts.ts'

/** A note with the part of the draft that goes back to the composer if the server refuses it. */
export interface WrittenNote extends NewNote {
  draft: Partial<WriteDraft>
}

/**
 * Adds notes to a card. They are shown at once. A note that is refused, or whose upload is cancelled, goes back to the
 * composer with the reason.
 */
export function useWrite(card: Card): (note: Omit<WrittenNote, 'key'>) => void {
  const toast = useToast()
  const { mutate } = useMutation(
    addNote<WrittenNote>(card, (error, { draft }) => {
      restoreWriteDraft(card, draft)
      if (!(error instanceof Cancelled)) toast.refused(error)
    }),
  )
  return (note) => mutate({ ...note, key: newKey() })
}
