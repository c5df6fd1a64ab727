import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type ChatMessage, sendAgain } from '../../data/messages.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { useFormat } from '../../parts/texts/format.ts'
import { useNow } from '../../parts/texts/use-now.ts'
import { useFailure } from '../failure-reasons.ts'
import classes from './message.module.css'

/** Explains a delivery problem below a message, and what happens next. */
export function DeliveryProblem({ message }: { message: ChatMessage }) {
  if (message.state === 'failed') return <Failed message={message} />
  return message.state === 'pending' && message.attempts > 0 ? <Waiting message={message} /> : null
}

function Failed({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const failure = useFailure()
  const again = useAction(sendAgain)
  return (
    <div className={`${classes.trouble} ${classes.failed}`}>
      <span>{failure(message)}</span>
      {message.origin !== 'channel' && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={13} aria-hidden />}
          loading={again.pending}
          onClick={() => again.run(message)}
        >
          {t('message.send_again')}
        </Button>
      )}
    </div>
  )
}

function Waiting({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { attempts, next_attempt_at } = message
  const now = useNow(5)
  const isDue = next_attempt_at === null || next_attempt_at <= now
  return (
    <p className={classes.trouble}>
      {isDue
        ? t('message.tried', { count: attempts })
        : t('message.tried_next', { count: attempts, when: format.moment(next_attempt_at) })}
    </p>
  )
}
