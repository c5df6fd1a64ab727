import { Fragment } from 'react'

const address = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}»”])/g

/** A text with clickable links, which open in a new tab without a referrer. */
export function Linked({ text }: { text: string }) {
  return text.split(address).map((piece, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
      <a key={i} href={piece} target="_blank" rel="noopener noreferrer">
        {piece}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same
      <Fragment key={i}>{piece}</Fragment>
    ),
  )
}
