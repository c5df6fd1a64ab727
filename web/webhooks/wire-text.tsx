import { CopyButton } from '../parts/copyable.tsx'
import classes from './wire-text.module.css'

/** A text as it goes over the wire, with a copy button. */
export function WireText({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes.box}>
      <section
        className={classes.text}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keys too
        tabIndex={0}
        aria-label={label}
      >
        <pre>{text}</pre>
      </section>
      <CopyButton label={label} value={text} />
    </div>
  )
}
