import { UnstyledButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import classes from './undo-toast.module.css'

/** Milliseconds in which one may think better of it. */
const STAYS = 8_000

/** Says what was done, with a button that takes it back. */
export function useUndoToast(): (message: string, onUndo: () => void) => void {
  const { t } = useTranslation()
  return (message, onUndo) => {
    const id = crypto.randomUUID()
    const undo = () => {
      notifications.hide(id)
      onUndo()
    }
    notifications.show({
      id,
      autoClose: STAYS,
      closeButtonProps: { 'aria-label': t('act.close') },
      message: (
        <span className={classes.line}>
          <span className={classes.message}>{message}</span>
          <UnstyledButton className={classes.undo} onClick={undo}>
            {t('act.undo')}
          </UnstyledButton>
        </span>
      ),
    })
  }
}
