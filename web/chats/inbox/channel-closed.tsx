import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Chat } from '../../data/chats.ts'
import { Callout } from '../../parts/callout.tsx'
import { useIsAdministrator } from '../../shell/use-session.ts'
import classes from './composer.module.css'

/** Replaces the composer when the channel does not accept messages. */
export function ChannelClosed({ chat }: { chat: Chat }) {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  return (
    <div className={classes.closed}>
      <Callout
        tone="warn"
        title={t('composer.closed_title', { channel: chat.channel.name })}
        actions={
          isAdministrator && (
            <Button
              variant="default"
              size="xs"
              renderRoot={(props) => (
                <Link
                  to="/settings/channels/$channelId/health"
                  params={{ channelId: chat.channel.id }}
                  {...props}
                />
              )}
            >
              {t('composer.to_channel')}
            </Button>
          )
        }
      >
        {t('composer.closed_text')}
      </Callout>
    </div>
  )
}
