import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft, IconCheck, IconLayoutSidebarRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Chat, chatName, closeTalk } from '../../data/chats.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { Status } from '../../parts/layout/status.tsx'
import { BotSwitch } from './bot-switch.tsx'
import { TelephoneLink } from './telephone-link.tsx'
import classes from './thread.module.css'

/** The client, the channel and the state of a conversation. */
export function ThreadHead({ chat, onAside }: { chat: Chat; onAside: (() => void) | undefined }) {
  const { t } = useTranslation()
  const { channel, is_in_work, can_write, is_bot_stopped } = chat
  // On narrow screens the list and its heading are not shown.
  const isAlone = useMediaQuery('(max-width: 860px)', false, { getInitialValueInEffect: false })
  return (
    <header className={classes.head}>
      <ActionIcon
        className={classes.back}
        variant="subtle"
        color="gray"
        size={32}
        aria-label={t('chat.back')}
        title={t('chat.back')}
        renderRoot={(props) => (
          <Link to="/inbox" search={(filter) => filter} activeOptions={{ exact: true }} {...props} />
        )}
      >
        <IconArrowLeft size={18} />
      </ActionIcon>
      <div className={classes.who}>
        {isAlone && <VisuallyHidden component="h1">{t('inbox.title')}</VisuallyHidden>}
        <h2>{chatName(chat)}</h2>
        <p className={classes.by}>
          <span className={classes.channel}>{channel.name}</span>
          <Status tone={is_in_work ? 'good' : 'off'}>{t(is_in_work ? 'chat.open' : 'chat.closed')}</Status>
          {is_bot_stopped && (
            <span className={classes.silent}>
              <Status tone="off">{t('chat.bot.silent')}</Status>
            </span>
          )}
        </p>
      </div>
      <TelephoneLink chat={chat} />
      <BotSwitch chat={chat} />
      {is_in_work && can_write && <CloseButton chat={chat} />}
      {onAside && (
        <ActionIcon
          variant="default"
          size={32}
          onClick={onAside}
          aria-label={t('chat.show_records')}
          title={t('chat.show_records')}
        >
          <IconLayoutSidebarRight size={17} />
        </ActionIcon>
      )}
    </header>
  )
}

function CloseButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation()
  const close = useAction(closeTalk, t('chat.closed_done'))
  return (
    <Tooltip label={t('chat.close_hint')}>
      <Button
        variant="default"
        leftSection={<IconCheck size={15} aria-hidden />}
        loading={close.pending}
        onClick={() => close.run(chat)}
      >
        {t('chat.close')}
      </Button>
    </Tooltip>
  )
}
