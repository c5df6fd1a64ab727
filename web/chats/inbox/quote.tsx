import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../../data/messages.ts'
import classes from './message.module.css'
import { useSnippet } from './snippet.ts'

type Quoted = Pick<ChatMessage, 'type' | 'text' | 'file_name'> & { author: string }

/** The message that this one answers, or that it passes on. */
export function Quote({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const snippet = useSnippet()
  const { reply_to, forwards } = message.content as {
    reply_to?: { message?: unknown }
    forwards?: { messages?: unknown }
  }
  const [forwarded] = Array.isArray(forwards?.messages) ? forwards.messages : []
  const quoted = quotedIn(reply_to?.message ?? forwarded)
  if (!quoted) return null
  return (
    <blockquote className={classes.quote}>
      {reply_to?.message ? (
        <VisuallyHidden>{t('message.answers')}</VisuallyHidden>
      ) : (
        <span className={classes.quoteAuthor}>{t('message.forwarded')}</span>
      )}
      {quoted.author && <span className={classes.quoteAuthor}>{quoted.author}</span>}
      <span className={classes.quoteText}>{snippet(quoted)}</span>
    </blockquote>
  )
}

/** The members of a quote are checked here, because the server keeps them as the provider sent them. */
function quotedIn(value: unknown): Quoted | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { type, text, file_name, sender } = value as Record<string, unknown>
  const textOf = (member: unknown) => (typeof member === 'string' ? member : '')
  return {
    type: textOf(type),
    text: textOf(text),
    file_name: textOf(file_name),
    author: textOf((sender as { name?: unknown } | undefined)?.name),
  }
}
