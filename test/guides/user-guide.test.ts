import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

type Tree = { [key: string]: string | Tree }
const textsOf = (tree: Tree): string[] =>
  Object.values(tree).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)))

const interfaceTexts = new Set(
  globSync('web/i18n/en/*.json', { cwd: new URL('../..', import.meta.url) }).flatMap((file) =>
    textsOf(JSON.parse(read(file))),
  ),
)

/** Bold interface texts of a guide. Paths are split at their arrows; symbols and lowercase words are not texts. */
const quoted = (markdown: string) =>
  [...markdown.matchAll(/\*\*([^*]+)\*\*/g)]
    .flatMap(([, bold = '']) => bold.replace(/\s+/g, ' ').replaceAll("'", '’').split(' → '))
    .filter((text) => /^\p{Lu}/u.test(text))

describe('The guides', () => {
  test('the user guide quotes interface texts exactly', () => {
    const quotes = quoted(read('docs/user-guide.md'))
    expect(quotes.length).toBeGreaterThan(20)
    expect(quotes.filter((text) => !interfaceTexts.has(text))).toEqual([])
  })

  test.each(['README.md', 'docs/chat-channels.md', 'docs/debugging-an-integration.md'])(
    '%s quotes paths in the interface exactly',
    (file) => {
      const paths = [...read(file).matchAll(/\*\*[^*]+ → [^*]+\*\*/g)].join(' ')
      expect(paths).not.toBe('')
      expect(quoted(paths).filter((text) => !interfaceTexts.has(text))).toEqual([])
    },
  )
})
