import { newKey } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { keepDrafts } from '../../data/kept-drafts.ts'
import type { NewMessage } from '../../data/messages.ts'

/** The unsent text of each conversation, kept while the person reads others. */
export interface Draft {
  text: string
  files: File[]
  /** Why the last message was not taken. */
  refused?: unknown
  /** Of a message that the server may have taken, though it did not say so: sent unchanged, it is the same one. */
  again?: undefined | { key: string; text: string; file: File | undefined }
}

const empty: Draft = { text: '', files: [] }
const drafts = keepDrafts<Draft>('chat', empty, ({ text }) => ({ text }))

export const { of: draftOf, use: useDraft, keep: keepDraft } = drafts

/** Takes the draft out of the composer, as the messages that it makes: one for each file, the text with the first. */
export function takeDraft(chat_id: string): NewMessage[] {
  const { text, files, again } = draftOf(chat_id)
  const words = text.trim()
  drafts.drop(chat_id)
  const [first, ...rest] = files
  const isSame = again && again.text === words && again.file === first
  const key = isSame ? again.key : newKey()
  const messages: NewMessage[] = [{ key, chat_id, text: words, ...(first && { file: first }) }]
  return [...messages, ...rest.map((file) => ({ key: newKey(), chat_id, text: '', file }))]
}

/** Puts a message that was refused back before whatever was written since. */
export function restoreDraft(refused: unknown, { key, chat_id, text, file }: NewMessage): void {
  const now = draftOf(chat_id)
  keepDraft(chat_id, {
    text: [text, now.text].filter(Boolean).join('\n'),
    files: file ? [file, ...now.files] : now.files,
    refused,
    again: mayBeTaken(refused) ? { key, text, file } : undefined,
  })
}

const mayBeTaken = (refused: unknown) => !(refused instanceof Problem) || refused.status >= 500
