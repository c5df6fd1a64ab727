import { LRUCache } from 'lru-cache'
import type { FieldSet } from '../fields/fields.ts'
import { parseStored, showValues } from './value-views.ts'

/** Characters of the texts that are kept, with the stored values that they were made of. */
const MOST = 16 * 1024 * 1024

interface Kept {
  /** The number of the set of fields. */
  fields: number
  stored: string
  text: string
}

/** By the id of the record. Comparing its stored values is faster than finding a text by them. */
const texts = new LRUCache<number, Kept>({
  maxSize: MOST,
  sizeCalculation: ({ stored, text }) => stored.length + text.length,
})

/** A number for each set of fields: texts do not keep the fields of earlier times. */
const numbers = new WeakMap<FieldSet, number>()
let last = 0

/**
 * `custom_fields_values` of a record as JSON text. It depends only on the stored values and the fields, so the last text of
 * a record is kept: findFields returns the same set until a field changes.
 */
export function valuesText(fields: FieldSet, id: number, stored: string): string {
  const number = numberOf(fields)
  const kept = texts.get(id)
  if (kept?.fields === number && kept.stored === stored) return kept.text
  const text = JSON.stringify(showValues(fields, parseStored(stored)))
  texts.set(id, { fields: number, stored, text })
  return text
}

function numberOf(fields: FieldSet): number {
  let number = numbers.get(fields)
  if (number === undefined) {
    number = ++last
    numbers.set(fields, number)
  }
  return number
}
