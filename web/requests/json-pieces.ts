/** A part of an indented JSON text. `plain` is punctuation and white space. */
export interface Piece {
  kind: 'name' | 'text' | 'number' | 'word' | 'plain'
  text: string
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|true|false|null|[{}[\],:])/y
/** Deeper members have this indentation, so that the text does not grow with the square of its depth. */
const DEEPEST = 32
/** More pieces are not colored: each is an element of the page. */
const MOST_COLORED = 6_000

/**
 * Indents a JSON text and names its parts. The tokens stay as they were sent, so large numbers and repeated names are
 * right. A text that ends too early is indented as far as it goes. null: this is no JSON object or array.
 */
export function jsonPieces(text: string): Piece[] | null {
  if (!/^\s*[{[]/.test(text)) return null
  const pieces = new Pieces()
  let depth = 0
  let at = 0
  let before = ''
  for (let token = tokenAt(text, at); token; token = tokenAt(text, at)) {
    const [whole, part = ''] = token
    at += whole.length
    if (part === '}' || part === ']') {
      depth -= 1
      if (before !== '{' && before !== '[') pieces.newLine(depth)
    } else if (before === '{' || before === '[' || before === ',') pieces.newLine(depth)
    if (part === '{' || part === '[') depth += 1
    pieces.add(kindOf(part, text, at), part === ':' ? ': ' : part)
    before = part
  }
  const rest = text.slice(at).trim()
  if (rest !== '') pieces.add('plain', before === '' ? rest : `\n${rest}`)
  return pieces.all
}

function tokenAt(text: string, at: number): RegExpExecArray | null {
  TOKEN.lastIndex = at
  return TOKEN.exec(text)
}

const FOLLOWED_BY_COLON = /\s*:/y

function kindOf(part: string, text: string, end: number): Piece['kind'] {
  if (part.startsWith('"')) {
    FOLLOWED_BY_COLON.lastIndex = end
    return FOLLOWED_BY_COLON.test(text) ? 'name' : 'text'
  }
  if (/^[-\d]/.test(part)) return 'number'
  return /^[tfn]/.test(part) ? 'word' : 'plain'
}

/** Pieces, of which adjacent plain ones are joined. */
class Pieces {
  readonly all: Piece[] = []

  newLine(depth: number): void {
    this.add('plain', `\n${'  '.repeat(Math.max(0, Math.min(depth, DEEPEST)))}`)
  }

  add(kind: Piece['kind'], text: string): void {
    const last = this.all.at(-1)
    const isColored = kind !== 'plain' && this.all.length < MOST_COLORED
    if (!isColored && last?.kind === 'plain') last.text += text
    else this.all.push({ kind: isColored ? kind : 'plain', text })
  }
}
