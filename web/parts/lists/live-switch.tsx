import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface LiveSwitchProps {
  isLive: boolean
  onLive: (isLive: boolean) => void
  /** The effect of the switch, as a tooltip. */
  label: string
}

/** Starts and stops the reading of new rows. */
export function LiveSwitch({ isLive, onLive, label }: LiveSwitchProps) {
  const { t } = useTranslation()
  return (
    <Switch
      size="xs"
      checked={isLive}
      onChange={({ currentTarget }) => onLive(currentTarget.checked)}
      label={t(isLive ? 'events.live.on' : 'events.live.paused')}
      title={label}
    />
  )
}
