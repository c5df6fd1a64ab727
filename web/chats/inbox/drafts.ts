import { newKey } from '../../api/keys.ts'
import { Problem } from '../../api/problem.ts'
import { keepDrafts } from '../../data/kept-drafts.ts'
import type { MadeFrom, NewMessage } from '../../data/messages.ts'

/** The unsent text of each conversation, kept while the person reads others. */
export interface Draft {
  text: string
  files: File[]
  /** The template that was chosen last. It is named with the message only if nobody changed its text. */
  template?: MadeFrom | undefined
  /** Why the last message was refused. */
  refused?: unknown
  /** The key of a message that the server may have stored without responding. Sent unchanged, it is the same message. */
  again?: undefined | { key: string; text: string; file: File | undefined }
}

const empty: Draft = { text: '', files: [] }
const drafts = keepDrafts<Draft>('chat', empty, ({ text, template }) => ({ text, template }))

export const { of: draftOf, use: useDraft, keep: keepDraft } = drafts

/** Empties the composer and returns its messages: one per file, the first with the text. */
export function takeDraft(chat_id: string): NewMessage[] {
  const { text, files, template, again } = draftOf(chat_id)
  const words = text.trim()
  drafts.drop(chat_id)
  const [first, ...rest] = files
  const isSame = again && again.text === words && again.file === first
  const key = isSame ? again.key : newKey()
  const made = template?.text === words ? { template } : {}
  const messages: NewMessage[] = [{ key, chat_id, text: words, ...made, ...(first && { file: first }) }]
  return [...messages, ...rest.map((file) => ({ key: newKey(), chat_id, text: '', file }))]
}

/** Returns a refused message to the composer, before the text that was written since. */
export function restoreDraft(refused: unknown, { key, chat_id, text, template, file }: NewMessage): void {
  const now = draftOf(chat_id)
  keepDraft(chat_id, {
    text: [text, now.text].filter(Boolean).join('\n'),
    files: file ? [file, ...now.files] : now.files,
    template: template ?? now.template,
    refused,
    again: mayBeStored(refused) ? { key, text, file } : undefined,
  })
}

const mayBeStored = (refused: unknown) => !(refused instanceof Problem) || refused.status >= 500
