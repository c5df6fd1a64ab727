import { CloseButton, Drawer } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { Chat } from '../../data/chats.ts'
import { useIncomingActions } from '../../entities/board/use-incoming-actions.tsx'
import { DropArea } from '../../parts/forms/drop-area.tsx'
import { IncomingNotice } from '../../parts/records/incoming-notice.tsx'
import { addFiles, Composer } from './composer.tsx'
import { SidePanel } from './side-panel.tsx'
import classes from './thread.module.css'
import { Thread } from './thread.tsx'
import { ThreadHead } from './thread-head.tsx'
import { useMarkRead } from './use-mark-read.ts'

/** The messages, the composer, and on wide screens the linked records. */
export function Conversation({ chat }: { chat: Chat }) {
  const { t } = useTranslation()
  const isWide = useMediaQuery('(min-width: 1281px)', true, { getInitialValueInEffect: false })
  const [isAsideOpen, aside] = useDisclosure()
  const onSeen = useMarkRead(chat)
  const { contact, lead } = chat._embedded
  const { dialog, ...actions } = useIncomingActions()
  const hasAside = contact !== null || lead !== null
  return (
    <div className={classes.conversation} data-beside={isWide && hasAside}>
      <DropArea
        isOpen={chat.channel.state === 'active'}
        label={t('composer.drop')}
        onFiles={(files) => addFiles(chat, files)}
        className={classes.thread}
      >
        <ThreadHead chat={chat} onAside={!isWide && hasAside ? aside.open : undefined} />
        {lead && (
          <div className={classes.incoming}>
            <IncomingNotice lead={lead} actions={actions} />
            {dialog}
          </div>
        )}
        <Thread chat={chat} onSeen={onSeen} />
        <Composer chat={chat} />
      </DropArea>
      {isWide && hasAside && (
        <aside className={classes.aside} aria-label={t('chat.records')}>
          <SidePanel chat={chat} />
        </aside>
      )}
      {!isWide && (
        <Drawer.Root opened={isAsideOpen} onClose={aside.close} position="right" size={340}>
          <Drawer.Overlay />
          <Drawer.Content aria-label={t('chat.records')}>
            <Drawer.Body className={classes.drawer}>
              <CloseButton
                className={classes.closeAside}
                onClick={aside.close}
                aria-label={t('act.close')}
                title={t('act.close')}
              />
              <SidePanel chat={chat} />
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      )}
    </div>
  )
}
