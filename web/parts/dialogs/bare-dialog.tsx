import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOpenerFocus } from './use-opener-focus.ts'

/** A dialog that is mounted only while it is open does not need `opened`. */
export interface DialogProps extends Omit<ModalProps, 'opened' | 'returnFocus' | 'closeButtonProps'> {
  opened?: boolean
}

/** Mantine's dialog with a name for its close button. The focus returns to the element that opened it. */
export function BareDialog({ opened = true, ...rest }: DialogProps) {
  const { t } = useTranslation()
  useOpenerFocus(opened)
  return (
    <Modal
      {...rest}
      opened={opened}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    />
  )
}
