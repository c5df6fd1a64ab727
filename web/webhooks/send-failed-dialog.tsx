import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sendFailedAgain, type Webhook } from '../data/webhooks.ts'
import dialog from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useFormat } from '../parts/texts/format.ts'
import { browserZone, fromLocalInput, toLocalInput } from '../parts/texts/zoned.ts'

interface SendFailedProps {
  webhook: Webhook
  opened: boolean
  onClose: () => void
}

/** Sends all failed deliveries since a time again. */
export function SendFailedDialog({ webhook, opened, onClose }: SendFailedProps) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('webhooks.send_failed.title')}>
      <SendFailed webhook={webhook} onClose={onClose} />
    </Dialog>
  )
}

const DAY = 86_400

function SendFailed({ webhook: { id }, onClose }: Omit<SendFailedProps, 'opened'>) {
  const { t } = useTranslation()
  // Deliveries are listed in this zone, too.
  const zone = browserZone()
  const [typed, setTyped] = useState(() => toLocalInput(zone, Date.now() / 1000 - DAY))
  const [count, setCount] = useState(0)
  const send = useAction(sendFailedAgain)
  const from = fromLocalInput(zone, typed)
  if (send.data !== undefined) return <Sent count={send.data} onClose={onClose} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (from !== undefined) send.run({ id, from: Math.max(0, from), onProgress: setCount })
      }}
    >
      <div className={dialog.fields}>
        <p className={dialog.text}>{t('webhooks.send_failed.text')}</p>
        <TextInput
          type="datetime-local"
          label={t('webhooks.send_failed.since')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={from === undefined && t('value.not_time')}
          data-autofocus
        />
        {send.pending && <Count count={count} />}
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('act.cancel')}
        </Button>
        <Button type="submit" loading={send.pending} disabled={from === undefined}>
          {t('webhooks.delivery.send_again')}
        </Button>
      </div>
    </form>
  )
}

function Count({ count }: { count: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <p className={dialog.text} role="status">
      {t('webhooks.send_failed.count', { count, number: format.number(count) })}
    </p>
  )
}

function Sent({ count, onClose }: { count: number; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      <Count count={count} />
      <div className={dialog.buttons}>
        <Button onClick={onClose} data-autofocus>
          {t('act.done')}
        </Button>
      </div>
    </>
  )
}
