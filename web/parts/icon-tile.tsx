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

/** Returns up to two initials of a name: of its first and last word. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}
