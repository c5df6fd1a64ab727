import { initials } from '../texts/initials.ts'
import classes from './icon-tile.module.css'

interface IconTileProps {
  name: string
  url: string | null
  size?: 'small' | 'medium' | 'large'
}

/** The icon of an integration, or its initials. Decorative: the name is next to it. */
export function IconTile({ name, url, size = 'small' }: IconTileProps) {
  return (
    <span className={`${classes.tile} ${classes[size]}`} aria-hidden>
      {url ? <img src={url} alt="" loading="lazy" /> : initials(name)}
    </span>
  )
}
