import { newKey } from '../../api/keys.ts'
import { mayBeDone } from '../../api/problem.ts'
import { joined, linesAfter } from '../../data/draft-lines.ts'
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
  /**
   * Messages that were refused or got no response, in their order; the draft begins with their texts and files. Sent unchanged,
   * they are the same messages, each with the key under which the server may have stored it.
   */
  again?: undefined | NewMessage[]
}

const empty: Draft = { text: '', files: [] }
const drafts = keepDrafts<Draft>('chat', empty, ({ text, template }) => ({ text, template }))

export const { of: draftOf, use: useDraft, keep: keepDraft } = drafts

/** Empties the composer and returns its messages: one per file, the first with the text. */
export function takeDraft(chat_id: string): NewMessage[] {
  const { text, files, template, again = [] } = draftOf(chat_id)
  const words = text.trim()
  drafts.drop(chat_id)
  if (again.length > 0 && words === textOf(again) && isSame(files, filesOf(again))) return again
  const [first, ...rest] = files
  const made = template?.text === words ? { template } : {}
  const messages: NewMessage[] = [
    { key: newKey(), chat_id, text: words, ...made, ...(first && { file: first }) },
  ]
  return [...messages, ...rest.map((file) => ({ key: newKey(), chat_id, text: '', file }))]
}

/**
 * Returns a refused message to the composer: after those that were refused before it, and before what was written since.
 */
export function restoreDraft(refused: unknown, message: NewMessage): void {
  const { chat_id } = message
  const now = draftOf(chat_id)
  const { before, text, files } = writtenSince(now)
  const again = [...before, mayBeDone(refused) ? message : { ...message, key: newKey() }]
  keepDraft(chat_id, {
    text: joined(textOf(again), text),
    files: [...filesOf(again), ...files],
    template: message.template ?? now.template,
    refused,
    again,
  })
}

/** The messages with which a draft begins, and what follows them. */
function writtenSince({ text, files, again = [] }: Draft) {
  const own = filesOf(again)
  const rest = linesAfter(textOf(again), text)
  if (rest === null || !isSame(files.slice(0, own.length), own)) return { before: [], text, files }
  return { before: again, text: rest, files: files.slice(own.length) }
}

const textOf = (messages: NewMessage[]) => joined(...messages.map(({ text }) => text))
const filesOf = (messages: NewMessage[]) => messages.flatMap(({ file }) => file ?? [])
const isSame = (some: File[], others: File[]) =>
  some.length === others.length && some.every((file, i) => file === others[i])
