import { LRUCache } from 'lru-cache'
import type { FieldSet } from './fields.ts'
import { parseStored, showValues } from './value-views.ts'

/** Characters of the texts that are kept, with their keys. */
const MOST = 16 * 1024 * 1024

const texts = new LRUCache<string, string>({
  maxSize: MOST,
  sizeCalculation: (text, key) => text.length + key.length,
})

/** A number for each set of fields, as a part of keys. */
const numbers = new WeakMap<FieldSet, number>()
let last = 0

/**
 * `custom_fields_values` as JSON text. It depends only on the stored values and the fields, so texts are kept: findFields
 * returns the same set until a field changes.
 */
export function valuesText(fields: FieldSet, stored: string): string {
  const key = `${numberOf(fields)} ${stored}`
  let text = texts.get(key)
  if (text === undefined) {
    text = JSON.stringify(showValues(fields, parseStored(stored)))
    texts.set(key, text)
  }
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
