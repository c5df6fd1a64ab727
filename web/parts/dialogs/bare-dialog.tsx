import { Modal, type ModalProps } from '@mantine/core'
import type { SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useOpenerFocus } from './use-opener-focus.ts'

/** A dialog that is mounted only while it is open does not need `opened`. */
export interface DialogProps extends Omit<ModalProps, 'opened' | 'returnFocus' | 'closeButtonProps'> {
  opened?: boolean
}

const ignore = (event: SyntheticEvent) => {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Mantine's dialog with a name for its close button. The focus returns to the element that opened it. While the dialog
 * fades out, its buttons do nothing: the second click of a double click would do the same thing again.
 */
export function BareDialog({ opened = true, ...rest }: DialogProps) {
  const { t } = useTranslation()
  useOpenerFocus(opened)
  return (
    <Modal
      {...rest}
      {...(!opened && { onClickCapture: ignore, onSubmitCapture: ignore })}
      opened={opened}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    />
  )
}
