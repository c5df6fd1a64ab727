import { initials } from './icon-tile.tsx'
import classes from './person-mark.module.css'

/** The letters of a person's name. Decoration: the name stands beside it. */
export function PersonMark({ name, size = 'medium' }: { name: string; size?: 'small' | 'medium' }) {
  return (
    <span className={`${classes.mark} ${classes[size]}`} aria-hidden>
      {initials(name)}
    </span>
  )
}
