import { initials } from '../texts/initials.ts'
import classes from './avatar.module.css'

/** The initials of a person. Decorative: the name is next to it. */
export function Avatar({ name, size = 'medium' }: { name: string; size?: 'small' | 'medium' }) {
  return (
    <span className={`${classes.mark} ${classes[size]}`} aria-hidden>
      {initials(name)}
    </span>
  )
}
