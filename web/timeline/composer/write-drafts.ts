import { keepDrafts } from '../../data/kept-drafts.ts'
import type { Card } from '../../data/timeline.ts'

export const modes = ['note', 'call', 'sms', 'task', 'file', 'reply'] as const
export type Mode = (typeof modes)[number]

/** The unsent text of each card, kept while the person reads others. */
export interface WriteDraft {
  mode: Mode
  note: string
  call: { direction: 'in' | 'out'; phone: string; duration: string; result: string; status: number | null }
  sms: { phone: string; text: string }
  files: File[]
}

const empty: WriteDraft = {
  mode: 'note',
  note: '',
  call: { direction: 'out', phone: '', duration: '', result: '', status: null },
  sms: { phone: '', text: '' },
  files: [],
}
const drafts = keepDrafts<WriteDraft>('write', empty, ({ files, ...texts }) => texts)
const keyOf = ({ collection, id }: Card) => `${collection} ${id}`

const draftOf = (card: Card): WriteDraft => drafts.of(keyOf(card))
export const useWriteDraft = (card: Card): WriteDraft => drafts.use(keyOf(card))
export const keepWriteDraft = (card: Card, change: Partial<WriteDraft>): void =>
  drafts.keep(keyOf(card), change)

/** Empties one part of the draft: it has become a row. */
export const dropDraft = (card: Card, part: 'note' | 'call' | 'sms' | 'files') =>
  keepWriteDraft(card, { [part]: empty[part] })

/** Files that are dropped on the card, or chosen, wait in the composer until they are added. */
export const addDraftFiles = (card: Card, files: Iterable<File>) =>
  keepWriteDraft(card, { mode: 'file', files: [...draftOf(card).files, ...files] })

/** Puts back what was refused, unless something else was written meanwhile. Each file is put after the others. */
export function restoreWriteDraft(card: Card, { files = [], ...part }: Partial<WriteDraft>): void {
  const now = draftOf(card)
  const free = Object.entries(part).filter(
    ([name]) =>
      name === 'mode' || JSON.stringify(now[name as 'note']) === JSON.stringify(empty[name as 'note']),
  )
  keepWriteDraft(card, { ...Object.fromEntries(free), files: [...now.files, ...files] })
}
