import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { FieldSet } from '../../custom-fields/custom-fields.ts'
import { proposeMapping } from './proposals.ts'
import { importedTypes, targetsOf } from './targets.ts'

const none = { list: [], byCode: new Map() } as unknown as FieldSet

test.each(['en', 'es', 'ru', 'pt'])('a column is recognized by the name of its target in %s', (lang) => {
  const file = new URL(`../../../web/i18n/${lang}/import.json`, import.meta.url)
  const names: Record<string, string> = JSON.parse(readFileSync(file, 'utf8')).import.target
  for (const type of importedTypes) {
    const targets = targetsOf(type, none)
    for (const { target } of targets) {
      const column = names[target.replace('.', '_')] ?? ''
      expect(proposeMapping(type, [column], [], targets, none), `${type}: ${column}`).toEqual([
        { column: 0, target },
      ])
    }
  }
})
