/** The form of a JSON text. Without a member, this part stays as it is. */
export interface JsonStyle {
  spacing?: Spacing
  /** `/` as `\/` in strings, as PHP writes it, or plain. */
  slashes?: 'escaped' | 'plain'
  /** Characters beyond ASCII as `\uXXXX`, as PHP and Python write them, or plain. */
  unicode?: 'escaped' | 'plain'
  /** `<`, `>` and `&` as `\u003c`, as Go writes them, or plain. */
  html?: 'escaped' | 'plain'
  members?: 'sorted' | 'reversed'
}

export type Spacing = 'compact' | 'python' | 'indent_2' | 'indent_4' | 'tabs'

export const spacings: readonly Spacing[] = ['compact', 'python', 'indent_2', 'indent_4', 'tabs']

/** A value of a JSON text with the spelling of its scalars. */
type Value = string | { list: Value[] } | { members: [name: string, value: Value][] }

/** A JSON text that can be written again in another style. */
export interface JsonText {
  text: string
  value: Value
  /** The spacing that the text has; undefined if it is none of the known ones. */
  spacing: Spacing | undefined
}

const MAX_DEPTH = 40
/** The longest text that is written. Indentation makes a text of many levels a hundred times as long. */
const LONGEST = 1_048_576

/** Reads a JSON text without interpreting its scalars; undefined if it is none, or nested deeper than 40 levels. */
export function readJsonText(text: string): JsonText | undefined {
  const reader = new Reader(text)
  const value = reader.whole()
  if (value === undefined || typeof value === 'string') return undefined
  const trimmed = text.trim()
  const isIn = (spacing: Spacing) => written(value, spacing, trimmed.length) === trimmed
  return { text, value, spacing: spacings.find(isIn) }
}

/** Writes a JSON text in another style; undefined if that is too long. */
export function inStyle(json: JsonText, style: JsonStyle): string | undefined {
  const value = style.members ? reordered(json.value, style.members) : json.value
  const spacing = style.spacing ?? (style.members && (json.spacing ?? 'compact'))
  const text = spacing ? written(value, spacing, LONGEST) : json.text
  const { slashes, unicode, html } = style
  if (text === undefined || (!slashes && !unicode && !html)) return text
  return mapStrings(text, (string) => respelled(string, style))
}

/** Reads tokens from left to right. Any violation of the syntax ends it. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Value | undefined {
    const value = this.#value(0)
    this.#skip()
    return this.#at === this.#text.length ? value : undefined
  }

  #value(depth: number): Value | undefined {
    this.#skip()
    const first = this.#text[this.#at]
    if (depth > MAX_DEPTH) return undefined
    if (first === '"') return this.#string()
    if (first === '[') return this.#list(depth)
    if (first === '{') return this.#object(depth)
    SCALAR.lastIndex = this.#at
    const [scalar] = SCALAR.exec(this.#text) ?? []
    if (scalar === undefined) return undefined
    this.#at += scalar.length
    return scalar
  }

  #list(depth: number): Value | undefined {
    const list: Value[] = []
    this.#at++
    if (this.#takes(']')) return { list }
    for (;;) {
      const value = this.#value(depth + 1)
      if (value === undefined) return undefined
      list.push(value)
      if (this.#takes(']')) return { list }
      if (!this.#takes(',')) return undefined
    }
  }

  #object(depth: number): Value | undefined {
    const members: [string, Value][] = []
    this.#at++
    if (this.#takes('}')) return { members }
    for (;;) {
      this.#skip()
      const name = this.#string()
      if (name === undefined || !this.#takes(':')) return undefined
      const value = this.#value(depth + 1)
      if (value === undefined) return undefined
      members.push([name, value])
      if (this.#takes('}')) return { members }
      if (!this.#takes(',')) return undefined
    }
  }

  #string(): string | undefined {
    if (this.#text[this.#at] !== '"') return undefined
    const end = endOfString(this.#text, this.#at)
    if (end === undefined) return undefined
    const string = this.#text.slice(this.#at, end)
    this.#at = end
    return string
  }

  #takes(sign: string): boolean {
    this.#skip()
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #skip(): void {
    SPACE.lastIndex = this.#at
    SPACE.exec(this.#text)
    this.#at = SPACE.lastIndex
  }
}

const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y
const SPACE = /[ \t\r\n]*/y

/** The place after the closing quote of the string that begins here; undefined if it does not end. */
function endOfString(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === 0x22) return at + 1
    if (sign === 0x5c) at++
  }
  return undefined
}

const separators: Record<Spacing, { comma: string; colon: string; indent: string }> = {
  compact: { comma: ',', colon: ':', indent: '' },
  python: { comma: ', ', colon: ': ', indent: '' },
  indent_2: { comma: ',', colon: ': ', indent: '  ' },
  indent_4: { comma: ',', colon: ': ', indent: '    ' },
  tabs: { comma: ',', colon: ': ', indent: '\t' },
}

/** Undefined if the text has more than `longest` characters. */
function written(value: Value, spacing: Spacing, longest: number): string | undefined {
  const { comma, colon, indent } = separators[spacing]
  const parts: string[] = []
  let left = longest
  const put = (part: string): void => {
    left -= part.length
    if (left >= 0) parts.push(part)
  }
  const line = (depth: number) => indent && put(`\n${indent.repeat(depth)}`)
  const write = (one: Value, depth: number): void => {
    if (typeof one === 'string') {
      put(one)
      return
    }
    const isList = 'list' in one
    const items: readonly unknown[] = isList ? one.list : one.members
    if (items.length === 0) {
      put(isList ? '[]' : '{}')
      return
    }
    put(isList ? '[' : '{')
    for (let i = 0; i < items.length && left >= 0; i++) {
      if (i > 0) put(comma)
      line(depth + 1)
      if (isList) write(one.list[i] as Value, depth + 1)
      else {
        const [name, member] = one.members[i] as [string, Value]
        put(name + colon)
        write(member, depth + 1)
      }
    }
    line(depth)
    put(isList ? ']' : '}')
  }
  write(value, 0)
  return left < 0 ? undefined : parts.join('')
}

function reordered(value: Value, order: 'sorted' | 'reversed'): Value {
  if (typeof value === 'string') return value
  if ('list' in value) return { list: value.list.map((one) => reordered(one, order)) }
  const members = value.members.map(([name, one]): [string, Value] => [name, reordered(one, order)])
  return {
    members:
      order === 'reversed' ? members.reverse() : members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  }
}

function mapStrings(text: string, map: (string: string) => string): string {
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', from)) {
    const end = endOfString(text, at) ?? text.length
    parts.push(text.slice(from, at), map(text.slice(at, end)))
    from = end
  }
  return parts.join('') + text.slice(from)
}

const escapeOf = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
/** An escape of two characters, or the beginning of one with a code. */
const ESCAPE = /\\(u[0-9a-fA-F]{4}|[^u])/g

function respelled(string: string, { slashes, unicode, html }: JsonStyle): string {
  let text = string
  if (slashes === 'plain') text = text.replace(ESCAPE, (whole, sign) => (sign === '/' ? '/' : whole))
  if (slashes === 'escaped') text = text.replace(ESCAPE_OR_SLASH, (whole) => (whole === '/' ? '\\/' : whole))
  if (unicode === 'plain') text = text.replace(ESCAPE, (whole, code) => plainOf(whole, code, isBeyondAscii))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the bounds of ASCII.
  if (unicode === 'escaped') text = text.replace(/[^\x00-\x7f]/g, escapeOf)
  if (html === 'plain') text = text.replace(ESCAPE, (whole, code) => plainOf(whole, code, isMarkup))
  if (html === 'escaped') text = text.replace(/[<>&]/g, escapeOf)
  return text
}

const ESCAPE_OR_SLASH = /\\[\s\S]|\//g
const isBeyondAscii = (code: number): boolean => code > 0x7f
const isMarkup = (code: number): boolean => code === 0x3c || code === 0x3e || code === 0x26

function plainOf(whole: string, code: string, isMeant: (code: number) => boolean): string {
  const number = code.length === 5 ? Number.parseInt(code.slice(1), 16) : Number.NaN
  return isMeant(number) ? String.fromCharCode(number) : whole
}
