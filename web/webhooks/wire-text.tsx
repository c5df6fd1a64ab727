import type { ReactNode } from 'react'
import { CopyButton } from '../parts/texts/copyable.tsx'
import classes from './wire-text.module.css'

interface WireTextProps {
  label: string
  text: string
  /** The same text with colors. */
  shown?: ReactNode
  /** Controls beside the label. */
  children?: ReactNode
}

/** A text as it goes over the wire, with a copy button. */
export function WireText({ label, text, shown, children }: WireTextProps) {
  return (
    <div>
      <div className={classes.head}>
        <span className={classes.label}>{label}</span>
        {children}
        <CopyButton label={label} value={text} />
      </div>
      <section
        className={classes.text}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keys too
        tabIndex={0}
        aria-label={label}
      >
        <pre>{shown ?? text}</pre>
      </section>
    </div>
  )
}
