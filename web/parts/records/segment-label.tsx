import type { CSSProperties } from 'react'
import type { Segment } from '../../data/segments.ts'
import classes from './segment-label.module.css'

/** The name of a segment with a dot of its colour. */
export const SegmentLabel = ({ segment: { name, color } }: { segment: Pick<Segment, 'name' | 'color'> }) => (
  <span className={classes.label} style={{ '--pb-segment': `#${color}` } as CSSProperties} title={name}>
    {name}
  </span>
)
