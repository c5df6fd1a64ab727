import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../../data/messages.ts'

const kinds = ['picture', 'video', 'file', 'voice', 'audio', 'sticker', 'location', 'contact'] as const

/** Returns the name of a kind of message; unknown kinds are messages. */
export function useKindName() {
  const { t } = useTranslation()
  return (type: string) => {
    const kind = kinds.find((name) => name === type)
    return t(kind ? `message.kind.${kind}` : 'message.kind.other')
  }
}

/** Returns a one-line summary of a message. */
export function useSnippet() {
  const name = useKindName()
  return ({ type, text, file_name }: Pick<ChatMessage, 'type' | 'text' | 'file_name'>) =>
    text || file_name || name(type)
}
