import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../../data/messages.ts'
import { useActingName } from '../../parts/people/acting-name.ts'
import { useFormat } from '../../parts/texts/format.ts'
import { DeliveryProblem } from './delivery-problem.tsx'
import classes from './message.module.css'
import { MessageBody } from './message-body.tsx'
import { MessageState } from './message-state.tsx'
import { Quote } from './quote.tsx'
import { ReactionMenu } from './reaction-menu.tsx'
import { Reactions } from './reactions.tsx'

/** A message: incoming on the left, outgoing on the right with its delivery state. */
export const MessageRow = memo(function MessageRow({
  message,
  client,
  goesOn,
  canReact,
}: {
  message: ChatMessage
  /** Names an author whom the channel does not name. */
  client: string
  goesOn: boolean
  canReact: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { direction, author, origin, sent_at, edited_at } = message
  const actingName = useActingName()
  const who = origin === 'bot' ? t('message.bot') : author.name || client
  // The customer of a channel is named as they are; that its integration passes messages on is usual.
  const name = author.type === 'user' ? actingName(who, message.by_integration) : who
  return (
    <li className={`${classes.row} ${classes[direction]} ${goesOn ? classes.goesOn : ''}`}>
      {goesOn ? <VisuallyHidden>{name}</VisuallyHidden> : <p className={classes.author}>{name}</p>}
      <div className={classes.line}>
        <div className={classes.bubble}>
          <Quote message={message} />
          <MessageBody message={message} />
        </div>
        <div className={classes.meta}>
          <time dateTime={new Date(sent_at * 1000).toISOString()} title={format.dateTime(sent_at)}>
            {format.time(sent_at)}
          </time>
          {edited_at !== null && <span>{t('message.edited')}</span>}
          {direction === 'out' && <MessageState message={message} />}
          {canReact && <ReactionMenu message={message} />}
        </div>
      </div>
      <Reactions message={message} canReact={canReact} />
      <DeliveryProblem message={message} />
    </li>
  )
})
