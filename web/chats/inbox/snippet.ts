import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../../data/chats.ts'

const kinds = ['picture', 'video', 'file', 'voice', 'audio', 'sticker', 'location', 'contact'] as const

/** What a kind of message is called; one that this version does not know is a message. */
export function useKindName() {
  const { t } = useTranslation()
  return (type: string) => {
    const kind = kinds.find((name) => name === type)
    return t(kind ? `message.kind.${kind}` : 'message.kind.other')
  }
}

/** A message in one line. */
export function useSnippet() {
  const name = useKindName()
  return ({ type, text, file_name }: ChatMessage) => text || file_name || name(type)
}
