import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Chat, chatName } from '../../data/chats.ts'
import { Avatar } from '../../parts/people/avatar.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './chat-list.module.css'
import { StateMark } from './message-state.tsx'
import { useSnippet } from './snippet.ts'
import { useIsTyping } from './typing.ts'

/** A conversation in the list: the person, the time and the last message. */
export const ChatRow = memo(function ChatRow({
  chat,
  isNamed,
}: {
  chat: Chat
  /** Shows the channel; needed when there are several. */
  isNamed: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { channel, last_message_at, is_read, unread_count } = chat
  const name = chatName(chat)
  return (
    <li>
      <Link
        to="/inbox/$chatId"
        params={{ chatId: chat.id }}
        search={(filter) => filter}
        className={`${classes.row} ${is_read ? '' : classes.unread}`}
        data-chat-row={chat.id}
      >
        <Avatar name={name} />
        <span className={classes.words}>
          <span className={classes.line}>
            <span className={classes.name}>{name}</span>
            {isNamed && <span className={classes.channel}>{channel.name}</span>}
            <time className={classes.when} dateTime={new Date(last_message_at * 1000).toISOString()}>
              {format.moment(last_message_at)}
            </time>
          </span>
          <span className={classes.line}>
            <Snippet chat={chat} />
            {unread_count > 0 && (
              <span className={classes.count}>
                {unread_count > 99 ? '99+' : unread_count}
                <VisuallyHidden> {t('inbox.unread')}</VisuallyHidden>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
})

function Snippet({ chat }: { chat: Chat }) {
  const { t } = useTranslation()
  const snippet = useSnippet()
  const isTyping = useIsTyping(chat)
  const { last_message } = chat
  if (isTyping) return <span className={`${classes.snippet} ${classes.typing}`}>{t('chat.typing')}</span>
  return (
    <span className={classes.snippet}>
      {last_message?.direction === 'out' && <StateMark state={last_message.state} size={13} />}
      <span>{last_message && snippet(last_message)}</span>
    </span>
  )
}
