import { isUtf8 } from 'node:buffer'
import { parse } from 'secure-json-parse'
import { Refusal } from '../errors.ts'

const MAX_DEPTH = 20
const MAX_MEMBERS = 10_000
/** Where a body may be large, so may be what is in it: a member for so many bytes of its limit. */
const BYTES_A_MEMBER = 16

/** The most members of a body of at most so many bytes. */
export const membersWithin = (limit: number): number =>
  Math.max(MAX_MEMBERS, Math.floor(limit / BYTES_A_MEMBER))

/**
 * Reads a JSON body. Throws Refusal('invalid') for what is not JSON in UTF-8 (RFC 8259), is nested deeper than 20, has
 * more than `most` members, names a member twice in one object, or reaches for a prototype; and for what could not be
 * given back as it came: numbers beyond 2^53, half a character, NUL (which PostgreSQL does not keep).
 */
export function parseJson(bytes: Buffer, most = MAX_MEMBERS): unknown {
  if (!isUtf8(bytes)) throw new Refusal('invalid', 'The body is not text in UTF-8.')
  const text = bytes.toString()
  if (text.trim() === '') throw new Refusal('invalid', 'Request data can not be empty')
  const written = countMembers(text, most)
  let value: unknown
  try {
    value = parse(text)
  } catch (cause) {
    throw new Refusal('invalid', 'The body is not valid JSON.', { cause })
  }
  // JSON.parse keeps the last of two members of one name: then fewer are read than were written.
  if (readMembers(value) !== written) throw new Refusal('invalid', 'The body names a member twice.')
  return value
}

/** Members as written: each has one colon outside of strings. Refuses depth before anything recurses into it. */
function countMembers(text: string, most: number): number {
  let depth = 0
  let members = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 0x5c) i++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x3a) members++
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) throw new Refusal('invalid', `The body is nested deeper than ${MAX_DEPTH}.`)
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  if (members > most) throw new Refusal('invalid', `The body has more than ${most} members.`)
  return members
}

function readMembers(value: unknown): number {
  if (typeof value === 'string') checkText(value)
  if (typeof value === 'number') checkNumber(value)
  if (typeof value !== 'object' || value === null) return 0
  const names = Array.isArray(value) ? [] : Object.keys(value)
  for (const name of names) checkText(name)
  let count = names.length
  for (const item of Object.values(value)) count += readMembers(item)
  return count
}

function checkText(text: string): void {
  if (!text.isWellFormed() || text.includes('\0'))
    throw new Refusal('invalid', 'The body holds half a character or NUL in a text.')
}

function checkNumber(number: number): void {
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number)))
    throw new Refusal('invalid', 'The body holds a number that cannot be kept as it is.')
}
