import { askToDiscard, useIsAsking, useUnsavedInside } from '../forms/unsaved.ts'
import { BareDialog, type DialogProps } from './bare-dialog.tsx'

/** A dialog that asks before it loses input. A click outside does not close it then. */
export function Dialog({ opened = true, onClose, closeOnClickOutside = true, ...rest }: DialogProps) {
  const isUnsaved = useUnsavedInside(opened)
  const isAsking = useIsAsking()
  const close = async () => {
    if (!isUnsaved || (await askToDiscard())) onClose()
  }
  return (
    <BareDialog
      {...rest}
      opened={opened}
      onClose={close}
      closeOnClickOutside={closeOnClickOutside && !isUnsaved}
      closeOnEscape={!isAsking}
    />
  )
}
