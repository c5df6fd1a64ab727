import { VisuallyHidden } from '@mantine/core'
import { useRef } from 'react'
import type { ChatMessage } from '../../data/messages.ts'
import { useSnippet } from './snippet.ts'

interface SpokenMessageProps {
  /** The newest message of the conversation. */
  newest: ChatMessage | undefined
  /** Names an author whom the channel does not name. */
  client: string
}

/**
 * Tells screen readers of a message that arrives while the conversation is open. The log itself tells nothing: older
 * messages are added to it, too, and a state changes several times.
 */
export function SpokenMessage({ newest, client }: SpokenMessageProps) {
  const snippet = useSnippet()
  const first = useRef<number>(undefined)
  first.current ??= newest?.position
  const isNew = newest?.direction === 'in' && newest.position > (first.current ?? newest.position)
  return (
    <VisuallyHidden role="status">
      {isNew && `${newest.author.name || client}: ${snippet(newest)}`}
    </VisuallyHidden>
  )
}
