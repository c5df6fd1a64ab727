/** A hostile body. It is created when it is sent, because all of them together are large. */
export interface HostileBody {
  shape: string
  text(): string
}

/** Texts with which an expression could backtrack from each character. */
export const hostileTexts = (length: number): string[] =>
  ['!', ' ', '.', '0', 'a', '"', 'ж', '\n'].map((sign) => `a${sign.repeat(length - 2)}a`)

const LONGEST_TEXT = 60_000
const SHORTEST_TEXT = 250

/** The number of copies of a text, separated by commas, that have this many bytes. */
const copies = (text: string, bytes: number): number =>
  Math.max(1, Math.floor(bytes / (Buffer.byteLength(text) + 1)))

const listOf = (item: string, bytes: number): string => `[${Array(copies(item, bytes)).fill(item).join()}]`

/** Bodies of this many bytes that are valid JSON, based on a correct one. */
export function hostileBodies(right: unknown, bytes: number): HostileBody[] {
  const item = Array.isArray(right) ? right[0] : right
  const json = (make: () => unknown) => () => JSON.stringify(make())
  const batchOf = (one: unknown) => (Array.isArray(right) ? Array(250).fill(one) : one)
  const shapes: Record<string, () => string> = {
    numbers: () => listOf('0', bytes),
    'empty texts': () => listOf('""', bytes),
    'empty objects': () => listOf('{}', bytes),
    'lists of lists': () => listOf('[[[[]]]]', bytes),
    'a right item, repeated': () => listOf(JSON.stringify(item) ?? '0', bytes),
    'a wrong item, repeated': () => listOf(JSON.stringify(spoiled(item)) ?? '0', bytes),
    // A legal number of items with large contents.
    '250 wide items': json(() => Array(250).fill(widened(spoiled(item), copies('0', bytes / 250)))),
    'long lists': json(() => widened(right, copies('000000', bytes))),
    'long lists of wrong items': json(() => widened(spoiled(right), copies('000000', bytes))),
    'members of one object': () => objectOf(0, copies('"m00000":0', bytes)),
    'members of many objects': () => {
      const wide = Math.min(5_000, copies('"m00000":0', bytes))
      const objects = Math.floor(bytes / wide / '"m00000":0,'.length)
      return `[${Array.from({ length: objects }, (_, i) => objectOf(i * wide, wide)).join()}]`
    },
    'deep lists': () => `${'['.repeat(19)}${listOf('{}', bytes)}${']'.repeat(19)}`,
  }
  const longest = Math.min(LONGEST_TEXT, Math.floor(bytes / Math.max(1, textsOf(right))))
  const texts = hostileTexts(Math.max(SHORTEST_TEXT, longest)).map((text) => ({
    shape: 'long texts',
    text: json(() => withTexts(right, text)),
  }))
  const manyTexts = hostileTexts(SHORTEST_TEXT).map((text) => ({
    shape: 'items of long texts',
    text: json(() => batchOf(withTexts(item, text))),
  }))
  return [...Object.entries(shapes).map(([shape, text]) => ({ shape, text })), ...texts, ...manyTexts]
}

/** An object with unique members from a number on. */
const objectOf = (first: number, members: number): string =>
  `{${Array.from({ length: members }, (_, i) => `"m${(first + i).toString(36).padStart(5, '0')}":0`).join()}}`

/** Replaces every scalar with one of another type. */
function spoiled(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? 0 : 'x'
  return mapped(value, spoiled)
}

/** Replaces every text. */
function withTexts(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text
  return mapped(value, (one) => withTexts(one, text))
}

/** The number of texts. */
const textsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + textsOf(one), 0)
    : Number(typeof value === 'string')

/** Fills every list by repetition, up to a total number of items. */
function widened(value: unknown, items: number): unknown {
  if (!Array.isArray(value)) return mapped(value, (one) => widened(one, items))
  const own = value.length === 0 ? [0] : value.map((one) => widened(one, Math.floor(items / 4)))
  const repetitions = Math.max(1, Math.floor(items / partsOf(own)))
  return Array.from({ length: repetitions }, () => own).flat()
}

/** Changes each part of a list or object. */
function mapped(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]))
}

const partsOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : Object.values(value).reduce((sum: number, one) => sum + partsOf(one), 1)

const LONGEST_QUERY = 7_500
const MAX_PAIRS = 256

/** Queries of the maximum length, from the parameters of a list. */
export function hostileQueries(names: readonly string[]): string[] {
  const filled = (part: (i: number) => string): string => {
    let text = ''
    for (let i = 0; i < MAX_PAIRS && text.length < LONGEST_QUERY; i++) text += part(i)
    return text
  }
  const texts = hostileTexts(LONGEST_QUERY).map((text) =>
    // Without an incomplete escape at the end.
    encodeURIComponent(text)
      .slice(0, LONGEST_QUERY)
      .replace(/%[0-9A-F]?$/, ''),
  )
  return [
    ...names.flatMap((name) => [
      filled((i) => `&${name}[]=${1_000_000 + i}`),
      filled((i) => `&${name}[${i}][a][b]=1`),
      `${name}=${filled((i) => `${i},`)}`,
      `${name}=${','.repeat(LONGEST_QUERY)}`,
      `${name}=${filled((i) => `word${i}+`)}`,
      ...(/query|filter/.test(name) ? texts.map((text) => `${name}=${text}`) : []),
    ]),
    filled((i) => `&${names[i % names.length]}=${i}`),
  ]
}
