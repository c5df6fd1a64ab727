import { Button, Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lossReasonsOptions } from '../../data/loss-reasons.ts'
import dialog from '../../parts/dialogs/dialog.module.css'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import classes from './board.module.css'

interface LossDialogProps {
  name: string
  onChoose: (loss_reason_id: number | null) => void
  onClose: () => void
}

const NONE = 'none'

/** Asks for the loss reason of a lead. */
export function LossDialog({ name, onChoose, onClose }: LossDialogProps) {
  const { t } = useTranslation()
  const { data: reasons = [], isPending } = useQuery(lossReasonsOptions)
  const [chosen, setChosen] = useState<string | null>(null)
  // The dialog focuses what it contains when it opens, so it waits for the first reason.
  if (isPending) return null
  return (
    <Dialog onClose={onClose} title={t('board.lost_title')}>
      <Radio.Group
        value={chosen}
        onChange={setChosen}
        label={t('board.lost_why', { name })}
        className={classes.reasons}
      >
        <div className={classes.choices}>
          {reasons.map((reason, i) => (
            <Radio
              key={reason.id}
              value={String(reason.id)}
              label={reason.name}
              data-autofocus={i === 0 || undefined}
            />
          ))}
          <Radio
            value={NONE}
            label={t('board.lost_unknown')}
            data-autofocus={reasons.length === 0 || undefined}
          />
        </div>
      </Radio.Group>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('act.cancel')}
        </Button>
        <Button disabled={chosen === null} onClick={() => onChoose(chosen === NONE ? null : Number(chosen))}>
          {t('board.lost_close')}
        </Button>
      </div>
    </Dialog>
  )
}
