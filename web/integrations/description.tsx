import { createElement, type ReactNode } from 'react'
import classes from './description.module.css'

/**
 * The HTML of a description becomes elements one by one, and only these: text of other elements stays, the elements
 * and every attribute go. The server sanitises too; this also makes the preview of what was just typed safe.
 */
const allowed: Record<string, string> = {
  A: 'a',
  B: 'b',
  BLOCKQUOTE: 'blockquote',
  BR: 'br',
  CODE: 'code',
  DIV: 'div',
  EM: 'em',
  H1: 'h3',
  H2: 'h3',
  H3: 'h3',
  H4: 'h4',
  I: 'i',
  LI: 'li',
  OL: 'ol',
  P: 'p',
  PRE: 'pre',
  S: 's',
  STRONG: 'strong',
  U: 'u',
  UL: 'ul',
}
const dropped = ['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'SVG', 'MATH', 'TITLE', 'NOSCRIPT']

/**
 * Trusted Types ask who vouches for HTML. This policy serves the parser below and nothing else: its document is inert,
 * so nothing in it runs or loads.
 */
const inert = window.trustedTypes?.createPolicy('patchbay-inert', { createHTML: (html) => html })

function parse(html: string): HTMLElement {
  const vouched = inert ? (inert.createHTML(html) as unknown as string) : html
  return new DOMParser().parseFromString(vouched, 'text/html').body
}

export function Description({ html }: { html: string }) {
  return <div className={classes.description}>{childrenOf(parse(html))}</div>
}

const childrenOf = (node: Node): ReactNode[] => [...node.childNodes].map(elementOf)

function elementOf(node: Node, key: number): ReactNode {
  if (node instanceof Text) return node.data
  if (node.nodeType !== Node.ELEMENT_NODE || dropped.includes(node.nodeName.toUpperCase())) return null
  const tag = allowed[node.nodeName]
  if (!tag) return childrenOf(node)
  if (tag === 'br') return createElement('br', { key })
  if (tag === 'a') return createElement('a', { key, ...linkOf(node as HTMLAnchorElement) }, childrenOf(node))
  return createElement(tag, { key }, childrenOf(node))
}

function linkOf(link: HTMLAnchorElement) {
  const href = link.getAttribute('href') ?? ''
  return /^(https?:\/\/|mailto:)/i.test(href) ? { href, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
}
