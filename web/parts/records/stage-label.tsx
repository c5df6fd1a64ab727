import type { CSSProperties } from 'react'
import classes from './stage-label.module.css'

/** The color and name of a stage; the name carries the meaning. */
export function StageLabel({ name, color }: { name: string; color: string }) {
  return (
    <span className={classes.stage}>
      <span className={classes.dot} style={{ '--pb-stage': color } as CSSProperties} aria-hidden />
      <span className={classes.name}>{name}</span>
    </span>
  )
}
