import { Button } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { channelsOptions } from '../../data/channels.ts'
import { EmptyState } from '../../parts/layout/empty-state.tsx'
import { useIsAdministrator } from '../../shell/use-session.ts'
import classes from './chat-list.module.css'
import { useSetFilter } from './filters.ts'

/** The empty inbox: explains what is missing and links to it. */
export function NoChats() {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  const { data: channels } = useQuery({ ...channelsOptions, enabled: isAdministrator })
  const hasChannel = (channels?.length ?? 0) > 0
  const to = hasChannel ? '/settings/channels' : '/settings/channels/new'
  const hint = hasChannel ? 'waits' : isAdministrator ? 'connect' : 'ask'
  return (
    <div className={classes.none}>
      <EmptyState
        icon={IconMessages}
        title={t('inbox.empty_title')}
        action={
          isAdministrator && (
            <Button component={Link} to={to} variant={hasChannel ? 'default' : 'filled'}>
              {t(hasChannel ? 'inbox.to_channels' : 'inbox.connect')}
            </Button>
          )
        }
      >
        {t(`inbox.empty.${hint}`)}
      </EmptyState>
    </div>
  )
}

export function NothingFits() {
  const { t } = useTranslation()
  const set = useSetFilter()
  return (
    <div className={classes.nothing}>
      <p>{t('inbox.nothing')}</p>
      <Button
        variant="default"
        size="xs"
        onClick={() =>
          set({ state: undefined, channel: undefined, query: undefined, contact: undefined, lead: undefined })
        }
      >
        {t('inbox.show_all')}
      </Button>
    </div>
  )
}
