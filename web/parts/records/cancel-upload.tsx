import { CloseButton } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelUpload, type NewRow } from '../../data/new-rows.ts'
import { useFocusNear } from '../dialogs/use-opener-focus.ts'

interface CancelProps {
  row: NewRow
  /** Moves the focus, if it should not stay near the row. */
  onCancelled?: () => void
}

/** Cancels the upload of the file of a row that is being written. */
export function CancelUpload({ row: { key, file }, onCancelled }: CancelProps) {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  useFocusNear(button)
  const label = t('act.cancel_upload', { name: file?.name })
  const cancel = () => {
    cancelUpload(key)
    onCancelled?.()
  }
  return <CloseButton ref={button} size="sm" onClick={cancel} aria-label={label} title={label} />
}
