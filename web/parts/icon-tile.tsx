import classes from './icon-tile.module.css'

interface IconTileProps {
  name: string
  url: string | null
  size?: 'small' | 'medium' | 'large'
}

/** The icon of an integration; without one, the first letters of its name. Decoration: the name stands beside it. */
export function IconTile({ name, url, size = 'small' }: IconTileProps) {
  return (
    <span className={`${classes.tile} ${classes[size]}`} aria-hidden>
      {url ? <img src={url} alt="" loading="lazy" /> : initials(name)}
    </span>
  )
}

/** Up to two letters for a name: of its first and its last word. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}
