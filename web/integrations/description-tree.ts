/** A node of a description: text, or an allowed element. */
export type Piece = string | Shown

export interface Shown {
  tag: string
  href?: string
  children: Piece[]
}

/** The elements that the server allows too. Other elements are removed, but their text stays. */
const allowed = 'p br b strong i em u s ul ol li h3 h4 blockquote code pre a'.split(' ')
/** The text of these elements is removed too. */
const dropped = 'script|style|textarea|option|noscript|template|title'
/** Elements that end when one of these starts. */
const selfClosing: Record<string, string[]> = { p: ['p'], li: ['li', 'p'] }

/** Deeper elements are flattened. */
const deepest = 30

const invisible = new RegExp(
  `<!--[\\s\\S]*?(?:-->|$)|<!\\w[^>]*>|<(${dropped})\\b[\\s\\S]*?(?:</\\1\\s*>|$)`,
  'gi',
)
const token = /<(\/?)([a-z][a-z0-9]*)((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>|[^<]+|</gi

/**
 * Parses HTML without the browser's parser, which needs Trusted Types and reports event handlers to the CSP.
 * Errors are safe: only the elements above can result, and only links have an attribute.
 */
export function descriptionTree(html: string): Piece[] {
  const root: Shown = { tag: '', children: [] }
  const open = [root]
  const inner = () => open.at(-1) as Shown
  const close = (tag: string) => {
    const at = open.findLastIndex((element) => element.tag === tag)
    if (at > 0) open.length = at
  }
  for (const [text, slash, name, attributes] of html.replaceAll(invisible, '').matchAll(token)) {
    const tag = name?.toLowerCase()
    if (tag === undefined) inner().children.push(plainText(text))
    else if (!allowed.includes(tag)) continue
    else if (slash) close(tag)
    else {
      if (selfClosing[tag]?.includes(inner().tag)) close(tag === 'li' ? 'li' : inner().tag)
      const element: Shown = { tag, href: tag === 'a' ? hrefOf(attributes ?? '') : undefined, children: [] }
      inner().children.push(element)
      if (tag !== 'br' && open.length < deepest) open.push(element)
    }
  }
  return root.children
}

function hrefOf(attributes: string): string | undefined {
  const [, double, single, bare] =
    /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes) ?? []
  const href = plainText(double ?? single ?? bare ?? '').trim()
  return /^(?:https?:\/\/|mailto:)/i.test(href) ? href : undefined
}

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  laquo: '«',
  raquo: '»',
  ldquo: '“',
  rdquo: '”',
  lsquo: '‘',
  rsquo: '’',
  bull: '•',
  middot: '·',
  times: '×',
  euro: '€',
  rarr: '→',
  larr: '←',
}

const plainText = (text: string) =>
  text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name) return named[name] ?? whole
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
