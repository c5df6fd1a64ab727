import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Chat } from '../../data/chats.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { useIsAdministrator } from '../../shell/use-session.ts'
import classes from './composer.module.css'

/** Replaces the composer for people without permission to reply, and when the channel does not accept messages. */
export function ClosedComposer({ chat }: { chat: Chat }) {
  return (
    <div className={classes.closed}>
      {chat.can_write ? <ChannelClosed chat={chat} /> : <ReadOnlyNotice />}
    </div>
  )
}

function ReadOnlyNotice() {
  const { t } = useTranslation()
  return (
    <Callout tone="info" title={t('composer.reading_title')}>
      {t('composer.reading_text')}
    </Callout>
  )
}

function ChannelClosed({ chat: { channel } }: { chat: Chat }) {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  return (
    <Callout
      tone="warn"
      title={t('composer.closed_title', { channel: channel.name })}
      actions={
        isAdministrator && (
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => (
              <Link to="/settings/channels/$channelId/health" params={{ channelId: channel.id }} {...props} />
            )}
          >
            {t('composer.to_channel')}
          </Button>
        )
      }
    >
      {t('composer.closed_text')}
    </Callout>
  )
}
