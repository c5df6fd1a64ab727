/** Character sets in which clients encode a text by mistake. `twice`: UTF-8 that is read as Latin-1 and encoded again. */
export type Charset = 'utf-8-bom' | 'latin1' | 'windows-1251' | 'windows-1252' | 'utf-16le' | 'twice'

const tables = new Map<string, Map<string, number>>()

/** The bytes by character of a set with one byte for each. */
function tableOf(name: string): Map<string, number> {
  const known = tables.get(name)
  if (known) return known
  const decoder = new TextDecoder(name)
  const table = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) table.set(decoder.decode(Uint8Array.of(byte)), byte)
  tables.set(name, table)
  return table
}

/** A character that the set does not have becomes a question mark, as in the functions of most languages. */
function inOneByte(text: string, name: string): Buffer {
  const table = tableOf(name)
  return Buffer.from(Array.from(text, (sign) => table.get(sign) ?? 0x3f))
}

const encoders: Record<Charset, (text: string) => Buffer> = {
  'utf-8-bom': (text) => Buffer.from(`\ufeff${text}`),
  latin1: (text) => Buffer.from(Array.from(text, (sign) => (sign <= '\u00ff' ? sign.charCodeAt(0) : 0x3f))),
  'windows-1251': (text) => inOneByte(text, 'windows-1251'),
  'windows-1252': (text) => inOneByte(text, 'windows-1252'),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  twice: (text) => Buffer.from(Buffer.from(text).toString('latin1')),
}

/** A text in a character set. */
export const inCharset = (text: string, charset: Charset): Buffer => encoders[charset](text)
