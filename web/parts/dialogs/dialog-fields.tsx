import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './dialog.module.css'

interface DialogFieldsProps {
  pending: boolean
  children: ReactNode
}

/**
 * The fields of a dialog that closes when it is saved. They take no input meanwhile, because it would be lost. After a
 * refusal, the first field with a fault or the control that was in use has the focus again.
 */
export function DialogFields({ pending, children }: DialogFieldsProps) {
  const fields = useRef<HTMLDivElement>(null)
  const used = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const element = fields.current
    if (!element || element.inert === pending) return
    if (pending) used.current = document.activeElement
    element.inert = pending
    const isNowhere = document.activeElement === document.body || document.activeElement === null
    if (pending || !isNowhere) return
    const next = element.querySelector('[aria-invalid="true"]') ?? used.current
    if (next instanceof HTMLElement) next.focus({ preventScroll: true })
  }, [pending])
  return (
    <div ref={fields} className={classes.fields}>
      {children}
    </div>
  )
}
