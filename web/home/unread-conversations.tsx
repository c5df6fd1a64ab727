import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSnippet } from '../chats/inbox/snippet.ts'
import { type Chat, chatName, chatsOptions } from '../data/chats.ts'
import { rowsOf } from '../data/row-lists.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Avatar } from '../parts/people/avatar.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { EmptyLine, HomeSection } from './home-section.tsx'
import classes from './unread-conversations.module.css'

const FEW = 5

/** Conversations with unread messages. */
export function UnreadConversations() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(chatsOptions({ state: 'unread' }))
  // A list keeps chats that were read meanwhile.
  const chats = rowsOf(query.data).filter(({ is_read }) => !is_read)
  const count = query.hasNextPage ? `${chats.length}+` : chats.length
  return (
    <HomeSection
      title={t('home.unread')}
      count={chats.length > 0 ? count : undefined}
      all={{ to: '/inbox', label: t('home.to_inbox') }}
    >
      <Loaded query={query} rows={2}>
        {() =>
          chats.length === 0 ? (
            <EmptyLine>{t('home.nothing_unread')}</EmptyLine>
          ) : (
            <ul className={classes.rows}>
              {chats.slice(0, FEW).map((chat) => (
                <ChatLine key={chat.id} chat={chat} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </HomeSection>
  )
}

function ChatLine({ chat }: { chat: Chat }) {
  const format = useFormat()
  const snippet = useSnippet()
  const { id, channel, last_message, last_message_at } = chat
  const name = chatName(chat)
  return (
    <li>
      <Link to="/inbox/$chatId" params={{ chatId: id }} className={classes.row}>
        <Avatar name={name} size="small" />
        <span className={classes.name} title={name}>
          {name}
        </span>
        <span className={classes.text}>{last_message && snippet(last_message)}</span>
        <span className={classes.channel}>{channel.name}</span>
        <time className={classes.when} dateTime={new Date(last_message_at * 1000).toISOString()}>
          {format.moment(last_message_at)}
        </time>
      </Link>
    </li>
  )
}
