import { Kbd } from '@mantine/core'
import classes from './sidebar.module.css'

const isApple = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)

/** A shortcut with Ctrl or ⌘, depending on the machine. */
export function CtrlKey({ letter }: { letter: string }) {
  return (
    <Kbd className={classes.key} aria-hidden>
      {isApple ? `⌘${letter}` : `Ctrl ${letter}`}
    </Kbd>
  )
}
