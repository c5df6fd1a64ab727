import { createElement, type ReactNode } from 'react'
import classes from './description.module.css'
import { descriptionTree, type Piece } from './description-tree.ts'

/**
 * Renders the HTML of a description as elements. The server sanitizes stored HTML; this also makes the preview of
 * unsaved HTML safe.
 */
export function Description({ html }: { html: string }) {
  return <div className={classes.description}>{descriptionTree(html).map(elementOf)}</div>
}

function elementOf(piece: Piece, key: number): ReactNode {
  if (typeof piece === 'string') return piece
  const { tag, href, children } = piece
  if (tag === 'br') return createElement('br', { key })
  const link = href ? { href, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
  return createElement(tag, { key, ...link }, children.map(elementOf))
}
