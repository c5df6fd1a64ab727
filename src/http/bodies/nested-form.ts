import { isUtf8 } from 'node:buffer'
import qs from 'qs'
import { Refusal } from '../../errors.ts'

const MAX_PAIRS = 10_000

/**
 * Parses a form with nested names, `request[leads][add][0][name]`, as PHP's `http_build_query` writes it. A form
 * contains only text. Throws Refusal('invalid') for a form that is not UTF-8, contains NUL, or is deeper than `depth`
 * or longer than an operation needs.
 */
export function parseNestedForm(bytes: Buffer, depth: number): unknown {
  const text = bytes.toString()
  if (!isUtf8(bytes) || /%00|\0/.test(text))
    throw new Refusal('invalid', 'The form is not valid UTF-8, or contains NUL.')
  try {
    return qs.parse(text, {
      depth,
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
