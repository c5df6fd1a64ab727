import { Button } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLogSetting, type LogSetting, logSettingOptions } from '../data/requests.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { Status } from '../parts/layout/status.tsx'
import classes from './recording-bar.module.css'
import { SettingsDialog } from './settings-dialog.tsx'

/** Tells administrators whether the requests of integrations are recorded, and what of them. */
export function RecordingBar() {
  const { t } = useTranslation()
  const { data: setting } = useQuery(logSettingOptions)
  const [isOpen, setIsOpen] = useState(false)
  if (!setting) return <div className={classes.bar} />
  return (
    <section className={classes.bar} aria-label={t('developers.recording.label')}>
      <Status tone={setting.is_on ? 'good' : 'off'}>
        <span className={classes.state}>
          {t(setting.is_on ? 'developers.recording.on' : 'developers.recording.off')}
        </span>
      </Status>
      <span className={classes.what}>
        {setting.is_on ? <What setting={setting} /> : t('developers.recording.off_text')}
      </span>
      <div className={classes.actions}>
        {!setting.is_on && <TurnOn setting={setting} />}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconSettings size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          {t('developers.recording.settings')}
        </Button>
      </div>
      <SettingsDialog setting={setting} opened={isOpen} onClose={() => setIsOpen(false)} />
    </section>
  )
}

function What({ setting: { days, keeps_bodies } }: { setting: LogSetting }) {
  const { t } = useTranslation()
  const bodies = t(keeps_bodies ? 'developers.recording.with_bodies' : 'developers.recording.without_bodies')
  return `${bodies} · ${t('developers.recording.days', { count: days })}`
}

function TurnOn({ setting }: { setting: LogSetting }) {
  const { t } = useTranslation()
  const change = useAction(changeLogSetting, t('developers.recording.turned_on'))
  return (
    <Button
      size="compact-xs"
      loading={change.pending}
      onClick={() => change.run({ ...setting, is_on: true })}
    >
      {t('developers.recording.turn_on')}
    </Button>
  )
}
