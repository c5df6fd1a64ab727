import classes from './avatar.module.css'
import { initials } from './icon-tile.tsx'

/** The letters of a person's name. Decoration: the name stands beside it. */
export function Avatar({ name, size = 'medium' }: { name: string; size?: 'small' | 'medium' }) {
  return (
    <span className={`${classes.mark} ${classes[size]}`} aria-hidden>
      {initials(name)}
    </span>
  )
}
