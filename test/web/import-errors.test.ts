import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rowErrorReasons } from '../../src/jobs/rows/row-error-types.ts'

test('the web application translates every reason for which a job rejects a row, and no others', () => {
  const english = readFileSync(new URL('../../web/i18n/en/import.json', import.meta.url), 'utf8')
  const translated = Object.keys(JSON.parse(english).import.fault)
  expect(translated.length).toBeGreaterThan(20)
  expect(translated.sort()).toEqual([...rowErrorReasons].sort())
})
