import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BareDialog } from './bare-dialog.tsx'
import classes from './dialog.module.css'

interface ConfirmProps {
  opened: boolean
  title: string
  /** An explanation of the result. */
  children: ReactNode
  action: string
  /** By default "Cancel". */
  cancel?: string
  pending?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation of an action that cannot be undone. */
export function Confirm({
  opened,
  title,
  children,
  action,
  cancel,
  pending,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const { t } = useTranslation()
  return (
    <BareDialog opened={opened} onClose={onClose} title={title}>
      <div className={classes.text}>{children}</div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel ?? t('act.cancel')}
        </Button>
        <Button color="danger" loading={pending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </BareDialog>
  )
}
