import { createElement, type ReactNode } from 'react'
import classes from './description.module.css'

/**
 * The HTML of a description becomes elements one by one, and only these: text of other elements stays, the elements
 * and every attribute go. The server sanitises too; this also makes the preview of what was just typed safe.
 */
const allowed = 'P BR B STRONG I EM U S UL OL LI H3 H4 BLOCKQUOTE CODE PRE A'.split(' ')
/** Of these not even the text stays. */
const dropped = ['SCRIPT', 'STYLE', 'TEXTAREA', 'OPTION', 'NOSCRIPT', 'TEMPLATE']

/**
 * Trusted Types ask who vouches for HTML. This policy serves the parser below and nothing else: its document is inert,
 * so nothing in it runs or loads.
 */
declare global {
  interface Window {
    trustedTypes?: { createPolicy: (name: string, rules: HtmlRules) => HtmlRules }
  }
}
/** What createHTML gives back is no text, but what takes it is declared to take text. */
interface HtmlRules {
  createHTML: (html: string) => string
}

const inert = window.trustedTypes?.createPolicy('patchbay-inert', { createHTML: (html) => html })

function parse(html: string): HTMLElement {
  const vouched = inert ? inert.createHTML(html) : html
  return new DOMParser().parseFromString(vouched, 'text/html').body
}

export function Description({ html }: { html: string }) {
  return <div className={classes.description}>{childrenOf(parse(html))}</div>
}

const childrenOf = (node: Node): ReactNode[] => [...node.childNodes].map(elementOf)

function elementOf(node: Node, key: number): ReactNode {
  if (node instanceof Text) return node.data
  if (node.nodeType !== Node.ELEMENT_NODE || dropped.includes(node.nodeName.toUpperCase())) return null
  if (!allowed.includes(node.nodeName)) return childrenOf(node)
  const tag = node.nodeName.toLowerCase()
  if (tag === 'br') return createElement('br', { key })
  if (tag === 'a') return createElement('a', { key, ...linkOf(node as HTMLAnchorElement) }, childrenOf(node))
  return createElement(tag, { key }, childrenOf(node))
}

function linkOf(link: HTMLAnchorElement) {
  const href = link.getAttribute('href') ?? ''
  return /^(https?:\/\/|mailto:)/i.test(href)
    ? { href, target: '_blank', rel: 'noopener noreferrer nofollow' }
    : {}
}
