import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DeliveryProblem } from '../../chats/inbox/delivery-problem.tsx'
import { MessageBody } from '../../chats/inbox/message-body.tsx'
import { MessageState } from '../../chats/inbox/message-state.tsx'
import type { TimelineItem } from '../../data/timeline.ts'
import classes from './timeline.module.css'

/** A chat message with its delivery state and a link to the conversation. */
export function MessageBlock({ item: { message } }: { item: TimelineItem }) {
  const { t } = useTranslation()
  if (!message) return null
  const { direction, author, chat_id } = message
  return (
    <div className={classes.block} data-direction={direction}>
      <MessageBody message={message} />
      <div className={classes.under}>
        {direction === 'in' && <span>{author.name}</span>}
        {direction === 'out' && <MessageState message={message} />}
        <Link to="/inbox/$chatId" params={{ chatId: chat_id }}>
          {t('timeline.to_chat')}
        </Link>
      </div>
      <DeliveryProblem message={message} />
    </div>
  )
}
