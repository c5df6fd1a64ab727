import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../../data/messages.ts'
import { usePopup } from '../../parts/dialogs/use-popup.tsx'
import { AttemptsLog } from './attempts-log.tsx'
import classes from './message.module.css'

const marks = {
  received: IconCheck,
  pending: IconClock,
  delivered: IconCheck,
  read: IconChecks,
  failed: IconAlertCircle,
} satisfies Record<ChatMessage['state'], unknown>

/** The delivery state as an icon, with a text for screen readers. */
export function StateMark({ state, size = 14 }: { state: ChatMessage['state']; size?: number }) {
  const { t } = useTranslation()
  const Mark = marks[state]
  return (
    <>
      <Mark size={size} className={classes[`mark_${state}`]} aria-hidden />
      <VisuallyHidden>{t(`message.state.${state}`)}</VisuallyHidden>
    </>
  )
}

/** The delivery state in a word, which opens the log of delivery attempts. */
export function MessageState({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { button, popup, target, close } = usePopup('dialog')
  const { state, origin } = message
  const Mark = marks[state]
  const word = (
    <>
      <Mark size={14} aria-hidden />
      {t(`message.state.${state}`)}
    </>
  )
  // Messages written on the provider's side were never delivered by us.
  if (origin === 'channel')
    return <span className={`${classes.state} ${classes[`mark_${state}`]}`}>{word}</span>
  return (
    <>
      <UnstyledButton {...button} className={`${classes.state} ${classes.opens} ${classes[`mark_${state}`]}`}>
        {word}
        <VisuallyHidden>{t('attempts.show')}</VisuallyHidden>
      </UnstyledButton>
      {popup && (
        <Popover {...popup} position="top-end" width={340} trapFocus returnFocus shadow="md">
          <Popover.Target>{target}</Popover.Target>
          <Popover.Dropdown>
            <AttemptsLog message={message} onClose={close} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}
