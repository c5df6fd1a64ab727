import { UnstyledButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { newKey } from '../../api/keys.ts'
import classes from './undo-toast.module.css'

/** Milliseconds for which undo is offered. */
const STAYS = 8_000

/** Returns a function that shows a message with an undo button. */
export function useUndoToast(): (message: string, onUndo: () => void) => void {
  const { t } = useTranslation()
  return (message, onUndo) => {
    const id = newKey()
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
