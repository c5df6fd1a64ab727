import { useMutation, useMutationState } from '@tanstack/react-query'
import { newKey } from '../api/client.ts'
import { upload } from '../data/drive.ts'
import { type Card, type NewNote, postNote, settleStory, type TimelineItem } from '../data/timeline.ts'
import { tellShare } from '../data/upload-shares.ts'
import { idGiven } from '../data/writes.ts'
import { useToast } from '../parts/use-toast.ts'
import { restoreWriteDraft, type WriteDraft } from './write-drafts.ts'

/** A row between the composer and the server. */
export interface Written {
  /** Names it here, and to the server, which takes it once however often it comes. */
  key: string
  note: NewNote
  file?: File
  at: number
  /** What goes back to the composer when it is refused. */
  draft: Partial<WriteDraft>
}

const keyOf = ({ collection, id }: Card) => ['write', collection, id]

/** Adds rows to a card. They are shown at once; what is refused goes back to the composer, with the reason. */
export function useWrite(card: Card): (written: Pick<Written, 'note' | 'file' | 'draft'>) => void {
  const toast = useToast()
  const { mutate } = useMutation({
    mutationKey: keyOf(card),
    scope: { id: keyOf(card).join(' ') },
    mutationFn: async ({ key, note, file }: Written) => {
      const file_uuid = file && (await upload(file, (share) => tellShare(key, share)))
      const params = file_uuid ? { ...note.params, file_uuid } : note.params
      await postNote(card, { ...note, params }, key)
      // It stays as it was written until it is read where it belongs.
      await settleStory(card)
    },
    onError: (error, { draft }) => {
      restoreWriteDraft(card, draft)
      toast.refused(error)
    },
    onSettled: (_, __, { key }) => tellShare(key, undefined),
    gcTime: 0,
  })
  return (written) => mutate({ ...written, key: newKey(), at: Math.floor(Date.now() / 1000) })
}

/** What is on its way and not yet among the rows, newest first. */
export const useWriting = (card: Card, items: TimelineItem[]): Written[] => {
  const onTheWay = useMutationState({
    filters: { mutationKey: keyOf(card), status: 'pending' },
    select: ({ state }) => state.variables as Written,
  })
  const isThere = (id: string | number | undefined) =>
    id !== undefined && items.some(({ note }) => note?.id === id)
  return onTheWay.filter(({ key }) => !isThere(idGiven(key))).toReversed()
}
