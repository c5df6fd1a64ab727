import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Chat, chatsOptions } from '../../data/chats.ts'
import { rowsOf } from '../../data/row-lists.ts'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { LoadMore } from '../../parts/lists/load-more.tsx'
import { SpokenCount } from '../../parts/texts/spoken-count.tsx'
import { ChatFilters } from './chat-filters.tsx'
import classes from './chat-list.module.css'
import { ChatRow } from './chat-row.tsx'
import { isNarrowed, useFilter } from './filters.ts'
import { NoChats, NothingFits } from './no-chats.tsx'
import { RecordFilter } from './record-filter.tsx'

/** The reader's conversations, latest activity first. */
export function ChatList() {
  const { t } = useTranslation()
  const filter = useFilter()
  const query = useInfiniteQuery({ ...chatsOptions(filter), placeholderData: keepPreviousData })
  const chats = rowsOf(query.data)
  return (
    <>
      <div className={classes.head}>
        <h1>{t('inbox.title')}</h1>
        <ChatFilters known={chats} />
        <RecordFilter />
      </div>
      <SpokenCount
        of={JSON.stringify(filter)}
        count={query.isSuccess && !query.isPlaceholderData ? chats.length : undefined}
        isComplete={!query.hasNextPage}
      />
      <div className={classes.scroll}>
        <Loaded query={query} rows={8}>
          {() => {
            if (chats.length > 0) return <Rows chats={chats} />
            return isNarrowed(filter) ? <NothingFits /> : <NoChats />
          }}
        </Loaded>
        <LoadMore query={query} />
      </div>
    </>
  )
}

function Rows({ chats }: { chats: Chat[] }) {
  const { t } = useTranslation()
  const list = useRef<HTMLUListElement>(null)
  const hasChannels = new Set(chats.map(({ channel }) => channel.id)).size > 1
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-chat-row]') ?? [])]
    const next = moves[event.key]?.(rows.indexOf(event.target as HTMLElement), rows.length)
    if (next === undefined) return
    event.preventDefault()
    rows[next]?.focus()
  }
  return (
    <ul ref={list} className={classes.rows} aria-label={t('inbox.list')} onKeyDown={onKeyDown}>
      {chats.map((chat) => (
        <ChatRow key={chat.id} chat={chat} isNamed={hasChannels} />
      ))}
    </ul>
  )
}

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}
