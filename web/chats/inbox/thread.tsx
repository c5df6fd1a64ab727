import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Chat, chatName } from '../../data/chats.ts'
import { messagesOptions, useSending } from '../../data/messages.ts'
import { rowsOf } from '../../data/row-lists.ts'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { LoadMore } from '../../parts/lists/load-more.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { byDay, type Day } from './by-day.ts'
import { MessageRow } from './message-row.tsx'
import { SendingRow } from './sending-row.tsx'
import { SpokenMessage } from './spoken-message.tsx'
import classes from './thread.module.css'
import { useIsTyping } from './typing.ts'

/** Pixels from the end that still count as the end. */
const NEAR = 60

/**
 * The messages by day. CSS reverses the scroll box, so that it starts at the end and does not jump when older
 * messages load above.
 */
export function Thread({ chat, onSeen }: { chat: Chat; onSeen: (isEndInSight: boolean) => void }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(messagesOptions(chat.id))
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const hasMessages = query.data !== undefined
  useEffect(() => onSeen(isAtEnd && hasMessages), [onSeen, isAtEnd, hasMessages])

  const messages = rowsOf(query.data).toReversed()
  const canReact = chat.can_write && chat.channel.state === 'active' && chat.channel.has_actions
  const toEnd = () => box.current?.scrollTo({ top: 0 })
  return (
    <div className={classes.box}>
      <section
        ref={box}
        className={classes.scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keys too
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('chat.messages', { name: chatName(chat) })}
        onScroll={({ currentTarget }) => setIsAtEnd(currentTarget.scrollTop > -NEAR)}
      >
        <div className={classes.messages}>
          <LoadMore query={query} />
          <Loaded query={query} rows={5}>
            {() => <Days days={byDay(messages)} client={chatName(chat)} canReact={canReact} />}
          </Loaded>
          <Sending chat={chat} onSent={toEnd} />
          <Typing chat={chat} />
        </div>
      </section>
      <SpokenMessage newest={messages.at(-1)} client={chatName(chat)} />
      {!isAtEnd && (
        <Button
          className={classes.toEnd}
          variant="default"
          size="xs"
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={toEnd}
        >
          {t(chat.is_read ? 'chat.to_end' : 'chat.new_below')}
        </Button>
      )}
    </div>
  )
}

function Days({ days, client, canReact }: { days: Day[]; client: string; canReact: boolean }) {
  const format = useFormat()
  return days.map(({ at, messages }) => (
    <section key={new Date(at * 1000).toDateString()}>
      <h3 className={classes.day}>
        <span>{format.day(at)}</span>
      </h3>
      <ul className={classes.list}>
        {messages.map(({ message, goesOn }) => (
          <MessageRow
            key={message.id}
            message={message}
            client={client}
            goesOn={goesOn}
            canReact={canReact}
          />
        ))}
      </ul>
    </section>
  ))
}

/** Messages that are being sent, below the stored ones. */
function Sending({ chat, onSent }: { chat: Chat; onSent: () => void }) {
  const sending = useSending(chat.id)
  const count = sending.length
  const toEnd = useRef(onSent)
  toEnd.current = onSent
  useEffect(() => {
    if (count > 0) toEnd.current()
  }, [count])
  if (count === 0) return null
  return (
    <ul className={classes.list}>
      {sending.map((draft) => (
        <SendingRow key={draft.key} draft={draft} />
      ))}
    </ul>
  )
}

function Typing({ chat }: { chat: Chat }) {
  const { t } = useTranslation()
  return (
    useIsTyping(chat) && <p className={classes.typing}>{t('chat.is_typing', { name: chatName(chat) })}</p>
  )
}
