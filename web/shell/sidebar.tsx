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
import type { NavPage } from './nav-pages.ts'
import { OverdueTasks } from './overdue-tasks.tsx'
import classes from './sidebar.module.css'
import { UnreadChats } from './unread-chats.tsx'
import { useNavPages } from './use-nav-pages.ts'
import { useSession } from './use-session.ts'
import { UserMenu } from './user-menu.tsx'

interface SidebarProps {
  onShowKeys: () => void
  onSearch: () => void
}

/** The navigation, in the sidebar and in the drawer of narrow screens. */
export function Sidebar({ onShowKeys, onSearch }: SidebarProps) {
  const { t } = useTranslation()
  const { mode } = useSession()
  const groups = useNavPages()
  const nav = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // Keeps the current page visible if the settings are longer than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address determines the current page
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
      <div className={classes.pages}>
        {groups
          .filter((pages) => pages.length > 0)
          .map((pages) => (
            <NavList key={pages[0]?.title} pages={pages} />
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

function NavList({ pages }: { pages: NavPage[] }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const isInside = ({ to, pages: inner }: NavPage) =>
    [{ to }, ...(inner ?? [])].some((page) => path === page.to || path.startsWith(`${page.to}/`))
  return (
    <ul>
      {pages.map((page) => (
        <li key={page.to}>
          <NavLink page={page} />
          {page.pages && isInside(page) && <NavList pages={page.pages} />}
          {page.hasLists && isInside(page) && <AccountLists />}
        </li>
      ))}
    </ul>
  )
}

function NavLink({ page }: { page: NavPage }) {
  const { t } = useTranslation()
  const { title, to, icon: Mark, counts } = page
  const Counter = counts && counters[counts]
  return (
    <Link
      to={to}
      className={classes.link}
      // Search parameters do not change the active item; of nested pages only the innermost one is active.
      activeOptions={{ includeSearch: false, exact: to === '/' || to === '/lists' || Boolean(page.pages) }}
    >
      {Mark && <Mark size={17} stroke={1.7} aria-hidden />}
      <span className={classes.label}>{t(title)}</span>
      {Counter && <Counter />}
    </Link>
  )
}
