import { isUtf8 } from 'node:buffer'
import qs from 'qs'
import { Refusal } from '../errors.ts'
import { lenient } from '../http/lenient-bodies.ts'
import { FieldsSet } from './legacy-schemas.ts'

/** `request[fields][add][0][enums][0]` */
const DEPTH = 5
const MAX_PAIRS = 10_000
const NUMBERS = ['id', 'request_id', 'type', 'element_type', 'disabled']

/**
 * Reads the body of `fields/set` from a form with nested names, as PHP's `http_build_query` writes it. A form
 * contains only text, so numbers are parsed from their digits. Throws Refusal('invalid') for a form that is not
 * UTF-8, contains NUL, or is deeper or longer than the operation needs.
 */
export function readFieldsForm(bytes: Buffer): unknown {
  const text = bytes.toString()
  if (!isUtf8(bytes) || /%00|\0/.test(text))
    throw new Refusal('invalid', 'The form is not valid UTF-8, or contains NUL.')
  const form = parse(text)
  const body = lenient(FieldsSet)(form) as { request?: { fields?: Record<string, unknown> } }
  for (const entries of Object.values(body.request?.fields ?? {}))
    if (Array.isArray(entries)) entries.forEach(readNumbers)
  return body
}

function parse(text: string): unknown {
  try {
    return qs.parse(text, {
      depth: DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PAIRS,
      throwOnLimitExceeded: true,
      arrayLimit: MAX_PAIRS,
      allowPrototypes: false,
    })
  } catch (cause) {
    throw new Refusal('invalid', `The form has more than ${MAX_PAIRS} members, or is nested too deeply.`, {
      cause,
    })
  }
}

function readNumbers(entry: unknown): void {
  if (typeof entry !== 'object' || entry === null) return
  const members = entry as Record<string, unknown>
  for (const name of NUMBERS) {
    const value = members[name]
    if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) members[name] = Number(value)
  }
}
