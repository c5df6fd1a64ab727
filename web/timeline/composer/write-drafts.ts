import { joined, linesAfter } from '../../data/draft-lines.ts'
import { keepDrafts } from '../../data/kept-drafts.ts'
import type { Card } from '../../data/timeline.ts'

export const modes = ['note', 'call', 'sms', 'task', 'file', 'reply'] as const
export type Mode = (typeof modes)[number]

/** The unsent text of each card, kept while the person reads others. */
export interface WriteDraft {
  mode: Mode
  note: string
  /** The beginning of the note that was put back after a refusal. */
  restored: string
  call: { direction: 'in' | 'out'; phone: string; duration: string; result: string; status: number | null }
  sms: { phone: string; text: string }
  files: File[]
}

const empty: WriteDraft = {
  mode: 'note',
  note: '',
  restored: '',
  call: { direction: 'out', phone: '', duration: '', result: '', status: null },
  sms: { phone: '', text: '' },
  files: [],
}
const drafts = keepDrafts<WriteDraft>('write', empty, ({ files, ...texts }) => texts)
const keyOf = ({ collection, id }: Card) => `${collection} ${id}`

export const draftOf = (card: Card): WriteDraft => drafts.of(keyOf(card))
export const useWriteDraft = (card: Card): WriteDraft => drafts.use(keyOf(card))
export const keepWriteDraft = (card: Card, change: Partial<WriteDraft>): void =>
  drafts.keep(keyOf(card), change)

/** Empties one part of the draft: it has become a row. */
export const dropDraft = (card: Card, part: 'note' | 'call' | 'sms' | 'files') =>
  keepWriteDraft(card, { [part]: empty[part], ...(part === 'note' && { restored: '' }) })

/** Files that are dropped on the card, or chosen, wait in the composer until they are added. */
export const addDraftFiles = (card: Card, files: Iterable<File>) =>
  keepWriteDraft(card, { mode: 'file', files: [...draftOf(card).files, ...files] })

/**
 * Puts back what was refused, before what was written since. Refused notes are in the order in which they were written, and
 * each file is put after the others.
 */
export function restoreWriteDraft(
  card: Card,
  { mode, note, call, sms, files = [] }: Partial<WriteDraft>,
): void {
  const now = draftOf(card)
  keepWriteDraft(card, {
    ...(mode && { mode }),
    ...(note !== undefined && withNote(now, note)),
    ...(call && {
      call: isEmpty(now.call, empty.call)
        ? call
        : { ...now.call, result: joined(call.result, now.call.result) },
    }),
    ...(sms && { sms: { phone: now.sms.phone || sms.phone, text: joined(sms.text, now.sms.text) } }),
    files: [...now.files, ...files],
  })
}

function withNote({ note, restored }: WriteDraft, refused: string): Pick<WriteDraft, 'note' | 'restored'> {
  const rest = linesAfter(restored, note)
  const both = rest === null ? refused : joined(restored, refused)
  return { note: joined(both, rest ?? note), restored: both }
}

const isEmpty = (one: object, blank: object) => JSON.stringify(one) === JSON.stringify(blank)
