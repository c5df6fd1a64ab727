import { VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Chat } from '../../data/chats.ts'
import { type ChatMessage, messagesOptions } from '../../data/messages.ts'
import { rowsOf } from '../../data/row-lists.ts'
import type { Customer } from '../../data/telephone.ts'
import { LoadMore } from '../../parts/lists/load-more.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { MessageBody } from '../inbox/message-body.tsx'
import { StateMark } from '../inbox/message-state.tsx'
import classes from './telephone.module.css'
import { TelephoneActions } from './telephone-actions.tsx'
import { TelephoneComposer } from './telephone-composer.tsx'

interface TelephoneProps {
  channelId: string
  customer: Customer
  /** undefined until the customer has written. */
  chat: Chat | undefined
}

/** The telephone of a customer: their messages are on the right, those of the account on the left. */
export function Telephone({ channelId, customer, chat }: TelephoneProps) {
  const { t } = useTranslation()
  return (
    <section className={classes.phone} aria-label={t('telephone.of', { name: customer.name })}>
      <header className={classes.head}>
        <span className={classes.avatar} aria-hidden>
          {customer.name.slice(0, 1).toUpperCase()}
        </span>
        <span className={classes.who}>
          <span className={classes.name}>{customer.name}</span>
          {customer.phone && <span className={classes.under}>{customer.phone}</span>}
        </span>
        {chat && (
          <Link to="/inbox/$chatId" params={{ chatId: chat.id }} className={classes.link}>
            {t('telephone.in_inbox')}
          </Link>
        )}
      </header>
      <div
        className={classes.screen}
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keys too
        tabIndex={0}
        aria-label={t('chat.messages', { name: customer.name })}
      >
        {chat ? (
          <Messages channelId={channelId} chat={chat} />
        ) : (
          <p className={classes.hint}>{t('telephone.begin')}</p>
        )}
      </div>
      <TelephoneComposer channelId={channelId} customer={customer} hasChat={chat !== undefined} />
    </section>
  )
}

function Messages({ channelId, chat }: { channelId: string; chat: Chat }) {
  const query = useInfiniteQuery(messagesOptions(chat.id))
  return (
    <ul className={classes.messages}>
      {rowsOf(query.data).map((message) => (
        <Message key={message.id} channelId={channelId} message={message} />
      ))}
      <li>
        <LoadMore query={query} />
      </li>
    </ul>
  )
}

function Message({ channelId, message }: { channelId: string; message: ChatMessage }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { direction, sent_at, reactions, state } = message
  const isOwn = direction === 'in'
  return (
    <li className={`${classes.row} ${isOwn ? classes.own : ''}`}>
      <VisuallyHidden>{isOwn ? t('telephone.customer') : t('telephone.account')}</VisuallyHidden>
      <div className={classes.bubble}>
        <MessageBody message={message} />
        <span className={classes.time}>
          {format.time(sent_at)}
          {!isOwn && <StateMark state={state} />}
        </span>
        {reactions.length > 0 && (
          <span className={classes.reactions}>{reactions.map(({ emoji }) => emoji).join(' ')}</span>
        )}
      </div>
      {!isOwn && <TelephoneActions channelId={channelId} message={message} />}
    </li>
  )
}
