interface Quotes {
  quote: "'" | '"'
  /** Characters that are written with a backslash, and what follows it. */
  escapes: Readonly<Record<string, string>>
  /** Writes another control character. */
  control: (code: number) => string
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** Line separators end a line for some programs that show code. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff]/

/** A text as a literal of a language. */
function literal(text: string, { quote, escapes, control }: Quotes): string {
  let inside = ''
  for (const character of text) {
    const escaped = escapes[character]
    if (escaped !== undefined) inside += `\\${escaped}`
    else inside += CONTROL.test(character) ? control(character.charCodeAt(0)) : character
  }
  return quote + inside + quote
}

const lines = { '\n': 'n', '\r': 'r', '\t': 't' }

/** A literal of JavaScript or Python. */
export const scriptText = (text: string): string =>
  literal(text, {
    quote: "'",
    escapes: { ...lines, '\\': '\\', "'": "'" },
    control: (code) => `\\u${hex(code, 4)}`,
  })

/** A literal of PHP. Only double quotes have escapes of control characters. */
export function phpText(text: string): string {
  if (!CONTROL.test(text)) return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
  return literal(text, {
    quote: '"',
    escapes: { ...lines, '\\': '\\', '"': '"', $: '$' },
    control: (code) => `\\u{${hex(code, 1)}}`,
  })
}

/** A word of a POSIX shell. */
export const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
