import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AccountSwitcher } from './account-switcher.tsx'
import { Wordmark } from './logo.tsx'
import { type Room, roomsFor } from './rooms.ts'
import classes from './sidebar.module.css'
import { UnreadChats } from './unread-chats.tsx'
import { useIsAdministrator, useSession } from './use-session.ts'
import { UserMenu } from './user-menu.tsx'

/** The navigation: in the rail, and in the drawer of narrow screens. */
export function Sidebar({ onShowKeys }: { onShowKeys: () => void }) {
  const { t } = useTranslation()
  const { mode } = useSession()
  return (
    <nav className={classes.sidebar} aria-label={t('nav.label')}>
      <AccountSwitcher />
      <div className={classes.rooms}>
        <RoomList rooms={roomsFor(useIsAdministrator())} />
      </div>
      <div className={classes.foot}>
        <UserMenu onShowKeys={onShowKeys} />
        <p className={classes.maker}>
          <Wordmark size={16} />
          {mode === 'dev' && <span>{t('app.dev_mode')}</span>}
        </p>
      </div>
    </nav>
  )
}

function RoomList({ rooms }: { rooms: Room[] }) {
  const { t } = useTranslation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <ul>
      {rooms.map(({ title, to, icon: Mark, counts, rooms: inner }) => (
        <li key={to}>
          <Link
            to={inner?.[0]?.to ?? to}
            className={classes.link}
            {...(inner && { 'aria-current': undefined })}
          >
            {Mark && <Mark size={17} stroke={1.7} aria-hidden />}
            {t(title)}
            {counts && <UnreadChats />}
          </Link>
          {inner && path.startsWith(String(to)) && <RoomList rooms={inner} />}
        </li>
      ))}
    </ul>
  )
}
