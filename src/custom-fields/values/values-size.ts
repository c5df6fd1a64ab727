import type { StoredValues } from './written-values.ts'

/**
 * The values of one record. A page of a list is made in memory and has up to 250 records, and a field can have texts of
 * thousands of letters, or hundreds of choices.
 */
const MOST_VALUES = 1_000
const MOST_LETTERS = 262_144
/** The letters of a number. */
const NUMBER_LETTERS = 8

interface Size {
  values: number
  letters: number
}

/** The fault of a record whose values become too many or too long by a change; undefined if they do not. */
export function excessOf(before: StoredValues, after: StoredValues): string | undefined {
  const { values, letters } = sizeOf(after)
  if (values <= MOST_VALUES && letters <= MOST_LETTERS) return undefined
  const old = sizeOf(before)
  // Values that are there can always be shortened.
  if (values <= old.values && letters <= old.letters) return undefined
  return (
    `The fields of a record can have at most ${MOST_VALUES} values with ${MOST_LETTERS} letters in all; ` +
    `this one would have ${values} with ${letters}.`
  )
}

function sizeOf(stored: StoredValues): Size {
  const size = { values: 0, letters: 0 }
  for (const values of Object.values(stored)) {
    size.values += values.length
    size.letters += lettersIn(values)
  }
  return size
}

function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return NUMBER_LETTERS
  let letters = 0
  for (const member of Object.values(value)) letters += lettersIn(member)
  return letters
}
