import type { ReactNode } from 'react'
import classes from './status.module.css'

export type Tone = 'good' | 'warn' | 'danger' | 'off'

/** A state in one word with a dot; the word carries the meaning, the colour only helps to find it. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`${classes.status} ${classes[tone]}`}>
      <span className={classes.dot} aria-hidden />
      {children}
    </span>
  )
}

export function Tag({ children }: { children: ReactNode }) {
  return <span className={classes.tag}>{children}</span>
}
