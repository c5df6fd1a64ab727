import { Button, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './copyable.module.css'

/** A value with a copy button. `label` names both. */
export function Copyable({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      <div className={classes.box}>
        <code className={classes.value}>{value}</code>
        <CopyButton label={label} value={value} />
      </div>
    </div>
  )
}

/** A button that copies a value. `label` says which one. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 2000 })
  return (
    <Button
      className={classes.copy}
      variant="default"
      size="xs"
      leftSection={clipboard.copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
      onClick={() => clipboard.copy(value)}
    >
      <span aria-live="polite">{clipboard.copied ? t('act.copied') : t('act.copy')}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </Button>
  )
}
