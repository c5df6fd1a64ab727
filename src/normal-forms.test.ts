import { expect, test } from 'vitest'
import { findIntent } from './chats/bot/phrases.ts'
import { searchedWords } from './entities/records/search.ts'
import { normalized } from './normal-forms.ts'

/** The worst order: each of the second half is sorted before all of the first. */
const marks = (count: number) => '\u0301'.repeat(count / 2) + '\u0316'.repeat(count / 2)

test.each([
  'Ångström ﬁ ½ Ελλάδα',
  'Việt Nam ế'.normalize('NFD'),
  'שָׁלוֹם',
  'हिन्दी',
  '한국어'.normalize('NFD'),
  '',
  'a\u0301',
])('the normal form of %j is that of Unicode', (text) => {
  for (const form of ['NFKC', 'NFKD'] as const) expect(normalized(text, form)).toBe(text.normalize(form))
})

test('marks that no word has are left out', () => {
  expect(normalized(`a${'\u0301'.repeat(31)}b`, 'NFKD')).toBe(`a${'\u0301'.repeat(30)}b`)
})

test('a text of marks takes no longer than other texts, in searches and for the reply bot', () => {
  const text = `hello a${marks(100_000)}`
  const intent = { id: 1, phrases: '["hello"]' } as never
  const began = process.cpuUsage()
  expect(searchedWords(text)[0]).toBe('hello')
  expect(findIntent([intent], text)).toBe(intent)
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1_000).toBeLessThan(2_000)
})
