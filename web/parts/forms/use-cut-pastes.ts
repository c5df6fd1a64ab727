import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../texts/format.ts'

/** Tells people that a pasted text does not fit into its input, because browsers leave out the rest silently. */
export function useCutPastes(): void {
  const { t } = useTranslation()
  const format = useFormat()
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const most = exceededBy(event)
      if (most === undefined) return
      notifications.show({
        id: 'cut-paste',
        message: t('app.cut_paste', { number: format.number(most) }),
        color: 'danger',
        autoClose: 8000,
        closeButtonProps: { 'aria-label': t('act.close') },
      })
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [t, format])
}

/** The limit that the pasted text exceeds. */
function exceededBy({ target, clipboardData, defaultPrevented }: ClipboardEvent): number | undefined {
  const isLine = target instanceof HTMLInputElement
  if (defaultPrevented || !(isLine || target instanceof HTMLTextAreaElement)) return undefined
  const { value, selectionStart, selectionEnd, maxLength } = target
  const pasted = (clipboardData?.getData('text') ?? '').replaceAll(isLine ? /[\r\n]+/g : '\r', '')
  const rest = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0))
  return maxLength >= 0 && rest + pasted.length > maxLength ? maxLength : undefined
}
