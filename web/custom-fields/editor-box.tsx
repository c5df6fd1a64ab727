import { Button } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './editor-box.module.css'

interface EditorBoxProps {
  /** Enter, and leaving for elsewhere. */
  onSave: () => void
  /** Escape. */
  onCancel: () => void
  fault?: string | undefined
  hint?: string
  /** Enter is a new line, and saves with Ctrl or Cmd. */
  isText?: boolean
  children: ReactNode
}

/**
 * Around the controls in which a value is written where it stands: the first of them has the focus, Enter saves, Escape
 * gives up, and going elsewhere saves, so that nothing that was written is lost.
 */
export function EditorBox({ onSave, onCancel, fault, hint, isText, children }: EditorBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, button')
    first?.focus()
    if (first instanceof HTMLInputElement && /^(text|search|url|tel)$/.test(first.type)) first.select()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      isOver.current = true
      onCancel()
    }
    // An open list of choices takes Enter for itself.
    if (event.key !== 'Enter' || event.defaultPrevented || event.target instanceof HTMLButtonElement) return
    if (isText && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    onSave()
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    // The window was left, not the editor.
    if (isOver.current || isInside || !document.hasFocus()) return
    onSave()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls in it
    <div ref={box} className={classes.box} data-editor onKeyDown={onKeyDown} onBlur={onBlur}>
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
  /** Stand before them: what adds another value. */
  children?: ReactNode
}

/** For what is written in several controls. */
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
