import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Returns the properties of a select with this name whose value can be removed. Mantine hides the button for it from the
 * keyboard and from screen readers, although nothing else removes the value; with these it has a name, and Tab reaches it.
 */
export function useClearable() {
  const { t } = useTranslation()
  return (name: string) => {
    const label = t('fields.clear', { name })
    const clearButtonProps = {
      tabIndex: 0,
      'aria-hidden': false,
      'aria-label': label,
      title: label,
      onClick: keepFocus,
    }
    return { clearable: true, clearButtonProps }
  }
}

/** The button disappears with the value. After a click of the keyboard, the input gets the focus. */
function keepFocus({ currentTarget, detail }: MouseEvent<HTMLElement>): void {
  if (detail > 0) return
  currentTarget.closest('.mantine-Input-wrapper')?.querySelector('input')?.focus()
}
