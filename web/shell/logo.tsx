import classes from './logo.module.css'

/** The logo: four sockets, two of them connected by a cable. */
function LogoMark({ size = 22 }: { size?: number }) {
  return (
    <svg
      className={classes.mark}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      aria-hidden="true"
    >
      <circle cx="18" cy="6" r="2" className={classes.idle} />
      <circle cx="6" cy="18" r="2" className={classes.idle} />
      <circle cx="6" cy="6" r="3.5" className={classes.socket} />
      <circle cx="18" cy="18" r="3.5" className={classes.socket} />
      <path d="M6 6c0 13 12-1 12 12" className={classes.cable} />
      <circle cx="6" cy="6" r="1.6" className={classes.plug} />
      <circle cx="18" cy="18" r="1.6" className={classes.plug} />
    </svg>
  )
}

export function Wordmark({ size }: { size?: number }) {
  return (
    <span className={classes.wordmark}>
      <LogoMark size={size} />
      <span translate="no">{name}</span>
    </span>
  )
}

/** The name is the same in all languages. */
const name = 'Patchbay'
