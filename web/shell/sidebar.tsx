import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ComponentType, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { RunningJobs } from '../parts/running-jobs.tsx'
import { AccountLists } from './account-lists.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import { CtrlKey } from './ctrl-key.tsx'
import { Wordmark } from './logo.tsx'
import { OverdueTasks } from './overdue-tasks.tsx'
import type { Room } from './rooms.ts'
import classes from './sidebar.module.css'
import { UnreadChats } from './unread-chats.tsx'
import { useRooms } from './use-rooms.ts'
import { useSession } from './use-session.ts'
import { UserMenu } from './user-menu.tsx'

interface SidebarProps {
  onShowKeys: () => void
  onSearch: () => void
}

/** The navigation: in the rail, and in the drawer of narrow screens. */
export function Sidebar({ onShowKeys, onSearch }: SidebarProps) {
  const { t } = useTranslation()
  const { mode } = useSession()
  const groups = useRooms()
  const nav = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // On a low screen the rooms of the settings are longer than the rail: where one is stays in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the address that moves the mark
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return (
    <nav ref={nav} className={classes.sidebar} aria-label={t('nav.label')}>
      <AccountSwitcher />
      <UnstyledButton className={classes.search} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={15} stroke={1.7} aria-hidden />
        <span className={classes.label}>{t('search.open')}</span>
        <CtrlKey letter="K" />
      </UnstyledButton>
      <div className={classes.rooms}>
        {groups
          .filter((rooms) => rooms.length > 0)
          .map((rooms) => (
            <RoomList key={rooms[0]?.title} rooms={rooms} />
          ))}
      </div>
      <div className={classes.foot}>
        <RunningJobs />
        <UserMenu onShowKeys={onShowKeys} />
        <p className={classes.maker}>
          <Wordmark size={16} />
          {mode === 'dev' && <span>{t('app.dev_mode')}</span>}
        </p>
      </div>
    </nav>
  )
}

const counters = { unread: UnreadChats, overdue: OverdueTasks } satisfies Record<string, ComponentType>

function RoomList({ rooms }: { rooms: Room[] }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const isInside = ({ to, rooms: inner }: Room) =>
    [{ to }, ...(inner ?? [])].some((room) => path === room.to || path.startsWith(`${room.to}/`))
  return (
    <ul>
      {rooms.map((room) => (
        <li key={room.to}>
          <RoomLink room={room} />
          {room.rooms && isInside(room) && <RoomList rooms={room.rooms} />}
          {room.hasLists && isInside(room) && <AccountLists />}
        </li>
      ))}
    </ul>
  )
}

function RoomLink({ room }: { room: Room }) {
  const { t } = useTranslation()
  const { title, to, icon: Mark, counts } = room
  const Counter = counts && counters[counts]
  return (
    <Link
      to={to}
      className={classes.link}
      // What the address of a list asks for is still that list; in a room within a room one is in that one alone.
      activeOptions={{ includeSearch: false, exact: to === '/' || to === '/lists' || Boolean(room.rooms) }}
    >
      {Mark && <Mark size={17} stroke={1.7} aria-hidden />}
      <span className={classes.label}>{t(title)}</span>
      {Counter && <Counter />}
    </Link>
  )
}
