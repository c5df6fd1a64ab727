import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const FOLDERS = ['src', 'web', 'test', 'bench', 'examples', 'docs']
const DECISIONS = 'DECISIONS.md'
/**
 * Citations in parentheses, alone or with others: `(V4)`, `(A4, A5)`, `(V12, RFC 8259)`; and at the beginning of a
 * test's name.
 */
const BRACKETS = /\(([^()\n]*)\)|describe\('([A-Z][1-9]\d?[a-z]?): /g
const NUMBER = /(?<![\w#.-])[A-Z][1-9]\d?[a-z]?(?![\w.-])/g

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const files = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', DECISIONS],
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|md)$/.test(file))
      .map((file) => join(folder, file)),
  ),
].filter((file) => file !== 'test/citations.test.ts')

const decided = [...read(DECISIONS).matchAll(/^- \*\*([A-Z]\d{1,2}[a-z]?)\*\*/gm)].map(([, number]) => number)

const citationsIn = (text: string): string[] =>
  [...text.matchAll(BRACKETS)].flatMap(([, bracket, name]) => name ?? bracket?.match(NUMBER) ?? [])

test('every decision has a unique number', () => {
  expect(decided.filter((number, i) => decided.indexOf(number) !== i)).toEqual([])
  expect(decided.length).toBeGreaterThan(100)
})

test('every cited number is a decision', () => {
  const cited = files.flatMap((file) => citationsIn(read(file)).map((number) => ({ file, number })))
  expect(cited.length).toBeGreaterThan(200)
  expect(cited.filter(({ number }) => !decided.includes(number))).toEqual([])
})
