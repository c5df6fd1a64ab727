import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLogSetting, clearLog, type LogSetting } from '../data/requests.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { CountInput } from '../parts/forms/count-input.tsx'
import { useUnsaved } from '../parts/forms/unsaved.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { Callout } from '../parts/layout/callout.tsx'

interface SettingsDialogProps {
  setting: LogSetting
  opened: boolean
  onClose: () => void
}

/** The settings for recording the requests of the account. */
export function SettingsDialog({ setting, opened, onClose }: SettingsDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('developers.recording.title')}>
      <Settings setting={setting} onClose={onClose} />
    </Dialog>
  )
}

/** The largest number of days that the server accepts. */
const MOST_DAYS = 30

function Settings({ setting, onClose }: Omit<SettingsDialogProps, 'opened'>) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(setting)
  const release = useUnsaved(JSON.stringify(draft) !== JSON.stringify(setting))
  const change = useAction(changeLogSetting, t('developers.recording.saved'))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.run(draft, () => {
          release()
          onClose()
        })
      }}
    >
      <DialogFields pending={change.pending}>
        <Callout tone="info">{t('developers.recording.notice')}</Callout>
        <Switch
          label={t('developers.recording.is_on')}
          description={t('developers.recording.is_on_hint')}
          checked={draft.is_on}
          onChange={({ currentTarget }) => setDraft({ ...draft, is_on: currentTarget.checked })}
          data-autofocus
        />
        <Switch
          label={t('developers.recording.bodies')}
          description={t('developers.recording.bodies_hint')}
          checked={draft.keeps_bodies}
          onChange={({ currentTarget }) => setDraft({ ...draft, keeps_bodies: currentTarget.checked })}
        />
        <CountInput
          label={t('developers.recording.kept_days')}
          description={t('developers.recording.kept_days_hint')}
          max={MOST_DAYS}
          styles={{ wrapper: { maxWidth: 160 } }}
          value={draft.days}
          onChange={(days) => setDraft({ ...draft, days })}
        />
        <ClearButton />
      </DialogFields>
      <DialogButtons pending={change.pending} onCancel={onClose} />
    </form>
  )
}

function ClearButton() {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const clear = useAction(clearLog, t('developers.recording.cleared'))
  return (
    <div>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('developers.recording.clear')}
      </Button>
      <Confirm
        opened={isAsking}
        title={t('developers.recording.clear_title')}
        action={t('developers.recording.clear')}
        pending={clear.pending}
        onConfirm={() => clear.run(undefined, () => setIsAsking(false))}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('developers.recording.clear_text')}</p>
      </Confirm>
    </div>
  )
}
