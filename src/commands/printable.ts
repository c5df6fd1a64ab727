// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const CONTROL = /[\0-\x1f\x7f-\x9f]/g
/** All but line feeds and tabs, and the carriage return of a line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const CONTROL_IN_LINES = /(?!\r\n)[\0-\x08\x0b-\x1f\x7f-\x9f]/g

/** The notation of JSON, so that a printed JSON text keeps its value. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Lines with texts of strangers, as a terminal can show them (P18). A terminal obeys control characters: they delete lines,
 * change colours and titles, and on some terminals type commands.
 */
export const printable = (text: string): string => text.replace(CONTROL_IN_LINES, escaped)

/** The same for a text that must not begin another line. */
export const onOneLine = (text: string): string => text.replace(CONTROL, escaped)

/** Writes lines with texts of strangers to standard output. */
export function print(text: string): void {
  process.stdout.write(printable(text))
}
