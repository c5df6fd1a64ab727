import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { replaySince } from '../data/deliveries.ts'
import dialog from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useFormat } from '../parts/texts/format.ts'
import { browserZone, fromLocalInput, toLocalInput } from '../parts/texts/zoned.ts'

/** Sends what a receiver got since a time again. It asks for a filter by a receiver that is not a chat channel. */
export function ReplayButton({ receiver }: { receiver: string | undefined }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  if (!receiver || receiver.startsWith('channel:')) return null
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {t('deliveries.replay.open')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setIsOpen(false)} title={t('deliveries.replay.title')}>
        <Replay receiver={receiver} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  )
}

interface ReplayProps {
  receiver: string
  onClose: () => void
}

const DAY = 86_400
const states = ['failed', 'ended'] as const

function Replay({ receiver, onClose }: ReplayProps) {
  const { t } = useTranslation()
  // Deliveries are listed in this zone, too.
  const zone = browserZone()
  const [typed, setTyped] = useState(() => toLocalInput(zone, Date.now() / 1000 - DAY))
  const [state, setState] = useState<(typeof states)[number]>('failed')
  const [count, setCount] = useState(0)
  const send = useAction(replaySince)
  const from = fromLocalInput(zone, typed)
  if (send.data !== undefined) return <Sent count={send.data} onClose={onClose} />
  const submit = (since: number) =>
    send.run({
      receiver,
      from: Math.max(0, since),
      state: state === 'failed' ? state : undefined,
      onProgress: setCount,
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (from !== undefined) submit(from)
      }}
    >
      <div className={dialog.fields}>
        <p className={dialog.text}>{t('deliveries.replay.text')}</p>
        <TextInput
          type="datetime-local"
          label={t('webhooks.send_failed.since')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={from === undefined && t('value.not_time')}
          data-autofocus
        />
        <Select
          label={t('deliveries.replay.which')}
          value={state}
          onChange={(chosen) => setState(states.find((one) => one === chosen) ?? 'failed')}
          allowDeselect={false}
          data={states.map((value) => ({ value, label: t(`deliveries.replay.${value}`) }))}
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
