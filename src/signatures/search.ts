import type { Reading } from './encodings.ts'
import { type Hash, hashesOf, type Key, type KnownSecret, keysOf } from './key-mistakes.ts'
import type { Mistake } from './mistake-types.ts'
import { signatureBytes, type TextSettings, type TextWriter } from './recipes.ts'
import { type TextMistake, textMistakes, type Variant } from './text-mistakes.ts'

/** A signed text, with the mistakes that made it. */
interface Text {
  bytes: Buffer | string
  settings: TextSettings
  mistakes: readonly Mistake[]
}

/** How a signature was made. */
export interface Explanation {
  settings: TextSettings
  text: Buffer | string
  owner: Key['owner']
  mistakes: readonly Mistake[]
}

/**
 * How much a search may still compute, in units of about a nanosecond. Texts are written and hashed, so each costs by its
 * length, and a little by itself.
 */
export class Budget {
  left: number
  /** The signatures that were computed. */
  tried = 0

  constructor(units: number) {
    this.left = units
  }

  get isSpent(): boolean {
    return this.left <= 0
  }

  /** `bytes` are those that were written and digested. */
  takeText(bytes: number): void {
    this.left -= 3_000 + 12 * bytes
  }

  takeHash(bytes: number): void {
    this.tried++
    this.left -= 6_000 + 2 * bytes
  }
}

export interface Search {
  writer: TextWriter
  /** The settings of the text that is right to sign. There are several if the request itself contradicts them. */
  bases: readonly TextSettings[]
  secrets: readonly KnownSecret[]
  readings: readonly Reading[]
  budget: Budget
}

const MOST_MISTAKES = 2

/**
 * Finds how a signature was made: without a mistake, with one, or with a pair from different dimensions. Returns all
 * explanations with the fewest mistakes; none if there is no such explanation, or the budget does not suffice.
 */
export function explanationsOf({ writer, bases, secrets, readings, budget }: Search): Explanation[] {
  const [base] = bases
  if (!base || readings.length === 0) return []
  const keys = keysOf(base.recipe, secrets)
  const hashes = hashesOf(base.recipe, new Set(readings.map(({ length }) => length)))
  const byDigest = Map.groupBy(readings, ({ digest }) => digest)
  const texts: [Text[], Text[]] = [bases.flatMap((one) => textOf(writer, one, [], budget)), []]
  for (let sum = 0; sum <= MOST_MISTAKES; sum++) {
    const found: Explanation[] = []
    for (const made of signaturesWith(sum, { writer, texts, keys, hashes, budget })) {
      for (const { mistakes } of byDigest.get(made.digest) ?? [])
        if (sum + mistakes.length <= MOST_MISTAKES) found.push(explained(made, mistakes))
    }
    if (found.length > 0) return fewest(found)
  }
  return []
}

interface Made {
  digest: string
  text: Text
  key: Key
  hash: Hash
}

interface Sides {
  writer: TextWriter
  /** The second list is filled while one mistake is tried. */
  texts: readonly [Text[], Text[]]
  keys: readonly [Key[], Key[], Key[]]
  hashes: readonly [Hash[], Hash[], Hash[]]
  budget: Budget
}

/** The signatures whose text, key and hash have so many mistakes together. Pairs in the text come last: they are the most. */
function* signaturesWith(sum: number, { writer, texts, keys, hashes, budget }: Sides): Generator<Made> {
  const sides = function* (text: Text, left: number): Generator<Made> {
    for (let ofKey = 0; ofKey <= left; ofKey++)
      for (const key of keys[ofKey as 0 | 1 | 2])
        for (const hash of hashes[(left - ofKey) as 0 | 1 | 2]) {
          if (budget.isSpent) return
          budget.takeHash(text.bytes.length)
          yield { digest: signatureBytes(hash, key.bytes, text.bytes).toString('hex'), text, key, hash }
        }
  }
  for (const text of texts[0]) yield* sides(text, sum)
  if (sum === 1)
    for (const text of singles(writer, texts[0], budget)) {
      texts[1].push(text)
      yield* sides(text, 0)
    }
  if (sum === 2) for (const text of texts[1]) if (!isAlone(text)) yield* sides(text, 1)
  if (sum === 2) for (const text of pairs(writer, texts[1], budget)) yield* sides(text, 0)
}

const explained = ({ text, key, hash }: Made, ofEncoding: readonly Mistake[]): Explanation => ({
  settings: text.settings,
  text: text.bytes,
  owner: key.owner,
  mistakes: [...text.mistakes, ...key.mistakes, ...hash.mistakes, ...ofEncoding],
})

function fewest(found: Explanation[]): Explanation[] {
  const least = Math.min(...found.map(({ mistakes }) => mistakes.length))
  return found.filter(({ mistakes }) => mistakes.length === least)
}

const places = new WeakMap<Text, number>()

/** Rows that only change what is cheap to write come first: of a large body, few forms can be tried. */
const cheapFirst = [...textMistakes.keys()].sort((a, b) => costOf(a) - costOf(b) || a - b)

function costOf(place: number): number {
  return textMistakes[place]?.of.includes('body') ? 1 : 0
}

/** The texts with one mistake. */
function* singles(writer: TextWriter, texts: readonly Text[], budget: Budget): Generator<Text> {
  for (const place of cheapFirst) for (const text of texts) yield* ofRow(writer, text, place, budget)
}

function* ofRow(writer: TextWriter, text: Text, place: number, budget: Budget): Generator<Text> {
  const { id, of, variants } = textMistakes[place] as TextMistake
  if (!of.some((field) => text.settings.fields.includes(field))) return
  for (const { change, detail = null } of variants(text.settings, writer.parts) as Variant[]) {
    if (budget.isSpent) return
    const [made] = textOf(writer, { ...text.settings, ...change }, [...text.mistakes, { id, detail }], budget)
    if (!made || isSame(made.bytes, text.bytes)) continue
    places.set(made, place)
    yield made
  }
}

const isSame = (a: Buffer | string, b: Buffer | string): boolean =>
  typeof a === 'string' || typeof b === 'string' ? a === b : a.equals(b)

const isAlone = (text: Text): boolean => textMistakes[places.get(text) ?? -1]?.is_alone === true

/** Pairs, by the place of their second mistake, so that the most numerous, other orders of the parts, come last. */
function* pairs(writer: TextWriter, singles: readonly Text[], budget: Budget): Generator<Text> {
  for (let place = 1; place < textMistakes.length; place++) {
    if (textMistakes[place]?.is_alone) continue
    for (const single of singles) {
      const first = places.get(single) as number
      if (isAlone(single) || first >= place) continue
      if (textMistakes[first]?.dimension !== textMistakes[place]?.dimension)
        yield* ofRow(writer, single, place, budget)
    }
  }
}

function textOf(
  writer: TextWriter,
  settings: TextSettings,
  mistakes: readonly Mistake[],
  budget: Budget,
): Text[] {
  if (budget.isSpent) return []
  const before = writer.worked
  const bytes = writer.write(settings)
  budget.takeText(writer.worked - before)
  return bytes === undefined ? [] : [{ bytes, settings, mistakes }]
}
