import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import classes from './folding-text.module.css'

/**
 * A text that collapses to ten lines (or `--lines` of the class). Rendered lines count, so long lines without a
 * break collapse too, and short texts have no button.
 */
export function FoldingText({ children, className }: { children: ReactNode; className?: string }) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { box, isLong } = useIsLong(isOpen)
  const fold = () => {
    setOpen(false)
    // Otherwise the reader would end up far below the text.
    requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <>
      <span
        ref={box}
        id={id}
        className={`${classes.text} ${className ?? ''}`}
        data-folded={!isOpen || undefined}
        data-long={isLong || undefined}
      >
        {children}
      </span>
      {isLong && (
        <button
          type="button"
          className={classes.button}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={isOpen ? fold : () => setOpen(true)}
        >
          {isOpen ? t('app.show_less') : t('app.show_all')}
        </button>
      )}
    </>
  )
}

/**
 * Measured while collapsed, because an open text hides no lines. The observer reports each text before it is painted
 * first, and one in a row that the browser skips when that row comes into sight. Reading the height of a text beforehand
 * would lay out such a row.
 */
function useIsLong(isOpen: boolean) {
  const box = useRef<HTMLSpanElement>(null)
  const [isLong, setLong] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element || isOpen) return
    const observer = new ResizeObserver(() => {
      const isNowLong = element.scrollHeight > element.clientHeight + 1
      if (isNowLong !== isLong) flushSync(() => setLong(isNowLong))
    })
    observer.observe(element)
    return () => observer.disconnect()
  })
  return { box, isLong }
}
