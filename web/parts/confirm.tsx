import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'
import { Dialog } from './dialog.tsx'

interface ConfirmProps {
  opened: boolean
  title: string
  /** An explanation of the result. */
  children: ReactNode
  action: string
  pending?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation of an action that cannot be undone. */
export function Confirm({ opened, title, children, action, pending, onConfirm, onClose }: ConfirmProps) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <div className={classes.text}>{children}</div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('act.cancel')}
        </Button>
        <Button color="danger" loading={pending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
