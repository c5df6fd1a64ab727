import { ActionIcon, CloseButton, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followChats } from '../data/live-chats.ts'
import { followEvents } from '../data/live-events.ts'
import { useCutPastes } from '../parts/forms/use-cut-pastes.ts'
import { Wordmark } from './logo.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PasswordPrompt } from './password-prompt.tsx'
import { useRememberCards } from './recent.ts'
import { ReplacedSession } from './replaced-session.tsx'
import { SearchDialog } from './search-dialog.tsx'
import classes from './shell.module.css'
import { ShortcutsDialog, useShortcuts } from './shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { usePageFocus } from './use-page-focus.ts'

/** The frame of all pages behind sign-in. */
export function Shell() {
  const { t } = useTranslation()
  const [keysShown, keys] = useDisclosure()
  const [isSearching, search] = useDisclosure()
  useShortcuts({ onKeys: keys.open, onSearch: search.open })
  useRememberCards()
  usePageFocus()
  useCutPastes()
  useEffect(followChats, [])
  useEffect(followEvents, [])
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        {t('nav.skip')}
      </a>
      <div className={classes.rail}>
        <Sidebar onShowKeys={keys.open} onSearch={search.open} />
      </div>
      <TopBar onShowKeys={keys.open} onSearch={search.open} />
      <div className={classes.content}>
        <OfflineBanner />
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <SearchDialog opened={isSearching} onClose={search.close} />
      <ShortcutsDialog opened={keysShown} onClose={keys.close} />
      <UnsavedGuard />
      <PasswordPrompt />
      <ReplacedSession />
      <Notifications position="top-center" limit={4} />
    </div>
  )
}

/** On narrow screens the navigation is in a drawer, which closes after navigation. */
function TopBar({ onShowKeys, onSearch }: { onShowKeys: () => void; onSearch: () => void }) {
  const { t } = useTranslation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const [openedAt, setOpenedAt] = useState<string>()
  const close = () => setOpenedAt(undefined)
  const search = () => {
    close()
    onSearch()
  }
  return (
    <header className={classes.top}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        onClick={() => setOpenedAt(path)}
        aria-label={t('nav.open')}
        title={t('nav.open')}
      >
        <IconMenu2 size={19} />
      </ActionIcon>
      <Wordmark />
      <ActionIcon
        className={classes.topSearch}
        variant="subtle"
        color="gray"
        size={32}
        onClick={onSearch}
        aria-label={t('search.open')}
        title={t('search.open')}
      >
        <IconSearch size={18} />
      </ActionIcon>
      <Drawer.Root opened={openedAt === path} onClose={close} size={280}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('nav.label')}>
          <Drawer.Body className={classes.drawer}>
            <div className={classes.drawerTop}>
              <Wordmark />
              <CloseButton onClick={close} aria-label={t('act.close')} title={t('act.close')} />
            </div>
            <Sidebar onShowKeys={onShowKeys} onSearch={search} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </header>
  )
}
