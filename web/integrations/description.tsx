import { createElement, type ReactNode } from 'react'
import classes from './description.module.css'
import { descriptionTree, type Piece } from './description-tree.ts'

/**
 * The HTML of a description, element by element. The server sanitises what it stores; this also makes the preview of
 * what was just typed safe, and it needs no HTML sink of the browser.
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
