import { Button } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useUnsaved } from '../parts/forms/unsaved.ts'
import classes from './editor-box.module.css'

interface EditorBoxProps {
  /** On Enter and on blur. */
  onSave: () => void
  /** On Escape. */
  onCancel: () => void
  /** Something was entered that is not saved yet. */
  isChanged?: boolean
  fault?: string | undefined
  hint?: string
  /** Enter adds a line; Ctrl or Cmd + Enter saves. */
  isText?: boolean
  children: ReactNode
}

/** Wraps the controls of an inline editor. The first control gets the focus, Enter and blur save, Escape cancels. */
export function EditorBox({
  onSave,
  onCancel,
  isChanged = false,
  fault,
  hint,
  isText,
  children,
}: EditorBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  const isOver = useRef(false)
  useUnsaved(isChanged)
  useEffect(() => {
    // Tab skips the buttons that remove a chosen value, and so does the focus.
    const first = box.current?.querySelector<HTMLElement>(
      'input:not([type=hidden]), textarea, button:not([tabindex="-1"])',
    )
    first?.focus()
    if (first instanceof HTMLInputElement && /^(text|search|url|tel)$/.test(first.type)) first.select()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    // The key belongs to the input method, which takes or drops a word with it.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      isOver.current = true
      onCancel()
    }
    // An open dropdown handles Enter itself.
    if (event.key !== 'Enter' || event.defaultPrevented || event.target instanceof HTMLButtonElement) return
    if (isText && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    onSave()
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    // The browser window lost the focus, not the editor.
    if (isOver.current || isInside || !document.hasFocus()) return
    onSave()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls in it
    <div
      ref={box}
      className={classes.box}
      data-editor
      // A click on a button does not focus it in Safari and in Firefox on macOS. The focus must stay in the editor.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {children}
      {fault && (
        <div className={classes.fault} role="alert">
          {fault}
        </div>
      )}
      {hint && !fault && <div className={classes.hint}>{hint}</div>}
    </div>
  )
}

interface EditorButtonsProps {
  onSave: () => void
  onCancel: () => void
  /** Shown before the buttons, such as "Add another". */
  children?: ReactNode
}

/** Buttons for editors with several controls. */
export function EditorButtons({ onSave, onCancel, children }: EditorButtonsProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.buttons} data-form>
      <Button size="xs" onClick={onSave}>
        {t('act.save')}
      </Button>
      <Button size="xs" variant="default" onClick={onCancel}>
        {t('act.cancel')}
      </Button>
      {children}
    </div>
  )
}
