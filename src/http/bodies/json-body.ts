import { isUtf8 } from 'node:buffer'
import { parse } from 'secure-json-parse'
import { type FaultCode, invalid, Refusal } from '../../errors.ts'
import { nameOfItem, tooManyItems } from './validation.ts'

const MAX_DEPTH = 20
const MAX_MEMBERS = 10_000
/** Different member names. V8 internalises each name, which costs far more memory and time than a known name. */
const MAX_NAMES = 10_000
/** A larger body may have more members: one per this many bytes of its limit. */
const BYTES_A_MEMBER = 16

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const LIST = 0x5b
const END_OF_LIST = 0x5d
const OBJECT = 0x7b
const END_OF_OBJECT = 0x7d

/** The maximum number of members, and of list items, of a body with at most this many bytes. */
export const membersWithin = (limit: number): number =>
  Math.max(MAX_MEMBERS, Math.floor(limit / BYTES_A_MEMBER))

/**
 * Parses a JSON body. Throws Refusal('invalid') if it is not JSON in UTF-8 (RFC 8259), is nested deeper than 20 levels,
 * has more than `most` members or list items or 10,000 different names, has a duplicate member, or sets a prototype.
 * Also refuses, with their path, values that cannot be returned unchanged: numbers beyond 2^53, halves of surrogate
 * pairs, and NUL (which PostgreSQL does not store). A list of more than `longest` items is refused before any item is
 * created.
 */
export function parseJson(bytes: Buffer, most = MAX_MEMBERS, longest = Number.POSITIVE_INFINITY): unknown {
  if (!isUtf8(bytes)) throw new Refusal('invalid', 'The body is not valid UTF-8.')
  const written = countMembers(bytes, most, longest)
  const text = bytes.toString()
  if (text.trim() === '') throw new Refusal('invalid', 'Request data can not be empty')
  let value: unknown
  try {
    value = parse(text)
  } catch (cause) {
    throw new Refusal('invalid', faultOfText(cause), { cause })
  }
  // JSON.parse keeps the last of two members with one name, so the value has fewer members than the text.
  if (readMembers(value) !== written) throw new Refusal('invalid', 'The body contains a duplicate member.')
  return value
}

/**
 * Counts members: each has one colon outside of strings. Enforces the limits before the text is parsed. Works on bytes,
 * because no byte of a multi-byte UTF-8 character equals a byte of JSON syntax.
 */
function countMembers(bytes: Buffer, most: number, longest: number): number {
  let depth = 0
  /** A bit per open object (0) or list (1). The lowest bit is the innermost. */
  let open = 0
  let members = 0
  /** Hashes of the names. Two names with one hash count once. */
  const names = new Set<number>()
  let hash = 0
  let items = 0
  let itemsOfBody = 0
  let quoted = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (quoted) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) quoted = false
      else hash = Math.imul(hash ^ (byte as number), 16_777_619)
    } else if (byte === QUOTE) {
      quoted = true
      hash = 0
    } else if (byte === COLON) {
      if (++members > most) throw new Refusal('invalid', `The body has more than ${most} members.`)
      if (names.add(hash).size > MAX_NAMES)
        throw new Refusal('invalid', `The body has more than ${MAX_NAMES} different member names.`)
    } else if (byte === COMMA) {
      // A list has one comma fewer than items.
      if (!(open & 1)) continue
      if (depth === 1 && ++itemsOfBody >= longest) throw tooManyItems(longest)
      if (++items >= most) throw new Refusal('invalid', `The body has more than ${most} list items.`)
    } else if (byte === OBJECT || byte === LIST) {
      if (++depth > MAX_DEPTH)
        throw new Refusal('invalid', `The body is nested deeper than ${MAX_DEPTH} levels.`)
      open = (open << 1) | (byte === LIST ? 1 : 0)
    } else if (byte === END_OF_OBJECT || byte === END_OF_LIST) {
      depth--
      open >>= 1
    }
  }
  return members
}

/** The fault of a text that was not parsed, with its place if the parser names one. Nothing of the text is repeated. */
function faultOfText(cause: unknown): string {
  const { message } = cause as SyntaxError
  if (message === 'Object contains forbidden prototype property')
    return 'The body should not have a member __proto__, nor prototype in a member constructor.'
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? []
  return `The body is not valid JSON${line ? ` at line ${line}, column ${column}` : ''}.`
}

/** The path of a value: names and positions. */
type Place = (string | number)[]

/** The number of members in a value at depth `depth` of `body`. Updates `place` during the walk. */
function readMembers(value: unknown, body = value, place: Place = [], depth = 0): number {
  const problem = problemOf(value)
  if (problem) throw unkept(problem, body, place.slice(0, depth))
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value))
    for (let i = 0; i < value.length; i++) {
      place[depth] = i
      count += readMembers(value[i], body, place, depth + 1)
    }
  else
    for (const name of Object.keys(value)) {
      place[depth] = name
      if (textProblem(name)) throw unkept(['InvalidFormat', BAD_NAME], body, place.slice(0, depth))
      count += 1 + readMembers(value[name as keyof typeof value], body, place, depth + 1)
    }
  return count
}

type Problem = [FaultCode, string]

const BAD_NAME = 'The name of a member should not contain NUL or half of a surrogate pair.'
const LARGE = `This number cannot be stored exactly: it should be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`

/** Why a value cannot be returned unchanged. */
function problemOf(value: unknown): Problem | undefined {
  if (typeof value === 'string') return textProblem(value)
  if (typeof value !== 'number' || (Number.isFinite(value) && !isLarge(value))) return undefined
  return ['OutOfRange', LARGE]
}

const isLarge = (number: number): boolean => Number.isInteger(number) && !Number.isSafeInteger(number)

function textProblem(text: string): Problem | undefined {
  if (!text.isWellFormed()) return ['InvalidFormat', 'This text contains half of a surrogate pair.']
  return text.includes('\0') ? ['InvalidFormat', 'This text contains NUL.'] : undefined
}

/** The maximum length of a path in a fault. */
const LONGEST_PATH = 255

/** The refusal of one value in a body or in an item of a batch. */
function unkept([code, detail]: Problem, body: unknown, place: Place): Refusal {
  const [i, ...inItem] = place
  const isBatch = Array.isArray(body) && typeof i === 'number'
  const path = (isBatch ? inItem : place).join('.').slice(0, LONGEST_PATH)
  const request_id = !isBatch ? '0' : inItem[0] === 'request_id' ? String(i) : nameOfItem(body[i], i)
  return invalid(path, code, detail, request_id)
}
