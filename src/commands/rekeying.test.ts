import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sealedTables } from './rekeying.ts'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }))
const pathsOf = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('every table that stores sealed values is known to the change of the master key', () => {
  const declared = sources.flatMap(({ text }) => [
    ...text.matchAll(/: SealedTable = \{\n {2}table: '(\w+)'/g),
  ])
  expect(declared.map(([, table]) => table).sort()).toEqual(sealedTables.map(({ table }) => table).sort())
  // One function seals all stored secrets, in a place that is declared beside its table.
  expect(pathsOf(/vault\.seal\(/)).toEqual(['db/master-key.ts'])
  const sealing = sources.flatMap(({ text }) => [
    ...text.matchAll(/sealStored\(\s*tx,\s*ctx\.vault,\s*(\w+)\(/g),
  ])
  const places = sources.filter(({ path }) => path.endsWith('sealed-queries.ts'))
  const named = places.flatMap(({ text }) => [...text.matchAll(/placeOf: \(.*\) => (\w+)\(/g)])
  expect(sealing.length).toBeGreaterThan(0)
  expect(sealing.map(([, place]) => place).sort()).toEqual(named.map(([, place]) => place).sort())
  expect(sources.flatMap(({ text }) => text.match(/sealStored\(/g) ?? []).length).toBe(sealing.length + 1)
})
