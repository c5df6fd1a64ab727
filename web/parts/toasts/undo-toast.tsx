import { UnstyledButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { newKey } from '../../api/keys.ts'
import classes from './undo-toast.module.css'

/** Milliseconds for which undo is offered. A message that replaces another has another time, which starts its clock again. */
const STAYS = 8_000
const REPLACED_STAYS = 10_000

type ShowUndo = (message: string, onUndo: () => void, replaced?: string) => string

/**
 * Returns a function that shows a message with an undo button, in the place of an earlier one if its id is named, and
 * returns the id of the message.
 */
export function useUndoToast(): ShowUndo {
  const { t } = useTranslation()
  return (message, onUndo, replaced) => {
    const id = replaced ?? newKey()
    const undo = () => {
      notifications.hide(id)
      onUndo()
    }
    const toast = {
      id,
      autoClose: replaced === undefined ? STAYS : REPLACED_STAYS,
      closeButtonProps: { 'aria-label': t('act.close') },
      message: (
        <span className={classes.line}>
          <span className={classes.message}>{message}</span>
          <UnstyledButton className={classes.undo} onClick={undo}>
            {t('act.undo')}
          </UnstyledButton>
        </span>
      ),
    }
    // Each of them does nothing in the case of the other: the earlier message is still there, or gone.
    notifications.update(toast)
    notifications.show(toast)
    return id
  }
}
