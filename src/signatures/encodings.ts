import type { Mistake } from './mistake-types.ts'
import { type RecipeId, recipes } from './recipes.ts'

/** A signature as bytes, if it was written in this way. */
export interface Reading {
  /** In lower-case hex. */
  digest: string
  length: number
  mistakes: readonly Mistake[]
}

const HEX = /^(?:[0-9a-fA-F]{2})+$/
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const PREFIX = /^(?:hmac-)?(sha-?1|sha-?256|md5|v1|hmac|signature)[=:, ]+/i
const SURROUNDED = /^[\s"']+|[\s"']+$/g
/** Longer texts are no signature. */
const LONGEST = 500

/** All ways in which a signature can be read, the right one first. */
export function readingsOf(recipe: RecipeId, signature: string): Reading[] {
  if (signature.length > LONGEST) return []
  const plain = read(recipe, signature)
  if (plain.length > 0) return plain
  const bare = signature.replace(SURROUNDED, '')
  if (bare !== signature) return with_(read(recipe, bare), { id: 'signature_surrounded', detail: null })
  const [prefix] = PREFIX.exec(signature) ?? []
  if (prefix === undefined) return []
  return with_(read(recipe, signature.slice(prefix.length)), { id: 'signature_prefix', detail: prefix })
}

const with_ = (readings: Reading[], mistake: Mistake): Reading[] =>
  readings.map((one) => ({ ...one, mistakes: [mistake, ...one.mistakes] }))

function read(recipe: RecipeId, text: string): Reading[] {
  const isHexRight = recipes[recipe].encoding === 'hex'
  const readings: Reading[] = []
  if (HEX.test(text)) {
    const lower = text.toLowerCase()
    const mistakes: Mistake[] = isHexRight ? [] : [{ id: 'signature_hex', detail: null }]
    if (text !== lower) mistakes.push({ id: 'upper_hex', detail: null })
    readings.push(readingOf(Buffer.from(lower, 'hex'), mistakes))
  }
  if (BASE64.test(text)) {
    const bytes = Buffer.from(text, 'base64')
    readings.push(readingOf(bytes, isHexRight ? [{ id: 'signature_base64', detail: null }] : []))
    const inner = bytes.toString('latin1')
    if (HEX.test(inner))
      readings.push(readingOf(Buffer.from(inner, 'hex'), [{ id: 'base64_of_hex', detail: null }]))
  }
  return readings
}

const readingOf = (bytes: Buffer, mistakes: Mistake[]): Reading => ({
  digest: bytes.toString('hex'),
  length: bytes.length,
  mistakes,
})
