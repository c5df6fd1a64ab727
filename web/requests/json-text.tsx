import type { Piece } from './json-pieces.ts'
import classes from './json-text.module.css'

/** An indented JSON text with calm colors. */
export const JsonText = ({ pieces }: { pieces: Piece[] }) =>
  pieces.map(({ kind, text }, i) =>
    kind === 'plain' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a recorded body does not change.
      <span key={i} className={classes[kind]}>
        {text}
      </span>
    ),
  )
