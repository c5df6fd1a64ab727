import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditAreas, detailMembers } from '../../src/accounts/audit/audit-types.ts'

type Words = { [word: string]: Words | string }

/** The text of a key like `user.added`. */
const textAt = (words: Words, key: string): unknown =>
  key.split('.').reduce<unknown>((at, part) => (at as Words | undefined)?.[part], words)

test.each(['en', 'es', 'ru', 'pt'])(
  'in %s, the audit log has texts for everything that it records',
  (language) => {
    const file = new URL(`../../web/i18n/${language}/audit.json`, import.meta.url)
    const { audit } = JSON.parse(readFileSync(file, 'utf8')) as {
      audit: Record<'did' | 'areas' | 'detail', Words>
    }
    const actions = Object.values(auditAreas).flat()
    expect(actions.filter((action) => typeof textAt(audit.did, action) !== 'string')).toEqual([])
    expect(Object.keys(audit.detail).sort()).toEqual([...detailMembers])
    expect(Object.keys(auditAreas)).toEqual(Object.keys(audit.areas))
  },
)
