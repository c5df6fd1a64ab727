import type { ReactNode } from 'react'
import classes from './status.module.css'

export type Tone = 'good' | 'warn' | 'danger' | 'off'

/** A status with a colored dot; the word carries the meaning. */
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
