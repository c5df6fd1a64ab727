import { expect, test } from 'vitest'
import { explainedKeywords } from '../../src/http/bodies/validation.ts'
import { world } from '../world.ts'

/** Keywords that describe, and keywords whose subschemas report the faults. */
const WITHOUT_FAULTS = [
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$id', '$schema'],
  ...['properties', 'patternProperties', 'items', 'anyOf', 'oneOf', 'allOf'],
  // Merged into `enum`.
  'const',
]

/** Every keyword of a schema and its subschemas that can report a fault. */
function keywordsOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('x-') || keyword.startsWith('~')) continue
    if (keyword === 'additionalProperties' && value !== false) keywordsOf(value, found)
    else found.add(keyword)
    if (keyword === 'properties' || keyword === 'patternProperties')
      for (const member of Object.values(value)) keywordsOf(member, found)
    if (['items', 'anyOf', 'oneOf', 'allOf'].includes(keyword))
      for (const part of [value].flat()) keywordsOf(part, found)
  }
  return found
}

test('every keyword of the schemas of requests has a sentence for its faults', async () => {
  const { app } = await world()
  const used = new Set<string>()
  for (const { schema } of app.http.servedRoutes)
    for (const part of [schema.body, schema.querystring]) keywordsOf(part, used)
  expect(used.size).toBeGreaterThan(10)
  expect([...used].filter((one) => ![...WITHOUT_FAULTS, ...explainedKeywords].includes(one))).toEqual([])
})
