import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const FOLDERS = ['src', 'web', 'test', 'bench', 'examples', 'docs']
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
const DECISIONS = 'DECISIONS.md'

/** Not the tests that contain citations as examples. */
const withoutCitations = /^test\/sources\/(citations\.test|words)\.ts$/

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const files = [
  ...PAGES,
  DECISIONS,
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|md)$/.test(file))
      .map((file) => join(folder, file)),
  ),
].filter((file) => !withoutCitations.test(file))

describe('Decisions', () => {
  /**
   * Citations in parentheses, alone or with others: `(V4)`, `(A4, A5)`, `(V12, RFC 8259)`; and at the beginning of a
   * test's name.
   */
  const BRACKETS = /\(([^()\n]*)\)|describe\('([A-Z][1-9]\d?[a-z]?): /g
  const NUMBER = /(?<![\w#.-])[A-Z][1-9]\d?[a-z]?(?![\w.-])/g

  const decided = [...read(DECISIONS).matchAll(/^- \*\*([A-Z]\d{1,2}[a-z]?)\*\*/gm)].map(
    ([, number]) => number,
  )
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
})

describe('Pages', () => {
  /** The anchors of a page's headings, as GitHub makes them. */
  const anchorsOf = (page: string): string[] =>
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  const exists = (file: string, anchor?: string): boolean =>
    existsSync(join(root, file)) && (!anchor || anchorsOf(read(file)).includes(anchor))

  test('every cited section of the wire exists', () => {
    const cited = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) =>
        [...read(file).matchAll(/(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([text, page = '', anchor]) => ({
          file,
          text,
          exists: exists(page, anchor),
        })),
      )
    expect(cited.filter(({ text }) => text.startsWith('docs/wire/')).length).toBeGreaterThan(20)
    expect(cited.filter((citation) => !citation.exists)).toEqual([])
  })

  test('no code cites a document that is not part of the project', () => {
    expect(files.filter((file) => /wire-facts|\.\.\/shared/.test(read(file)))).toEqual([])
  })

  test('every link of a page leads to a page and a heading that exist', () => {
    const broken = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
          ([link, page, anchor]) =>
            exists(page ? join(dirname(file), page) : file, page && !page.endsWith('.md') ? '' : anchor)
              ? []
              : [`${file}: ${link}`],
        ),
      )
    expect(broken).toEqual([])
  })
})
