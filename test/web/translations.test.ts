import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const languages = ['en', 'es', 'ru', 'pt']

type Tree = { [key: string]: string | Tree }

/** The entries by their dotted names. Plural forms, which differ between languages, count as one. */
function entries(tree: Tree, at = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string')
      found.set(`${at}${key.replace(/_(zero|one|two|few|many|other)$/, '_*')}`, value)
    else for (const [name, text] of entries(value, `${at}${key}.`)) found.set(name, text)
  }
  return found
}

const inRoot = (path: string) => new URL(`../../${path}`, import.meta.url)

const catalogue = (language: string) =>
  entries(
    Object.assign(
      {},
      ...globSync(`web/i18n/${language}/*.json`, { cwd: inRoot('') }).map((file) =>
        JSON.parse(readFileSync(inRoot(file), 'utf8')),
      ),
    ),
  )

/** Texts between tags, and in attributes that people read or hear. */
function literals(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const texts = [
    ...code.matchAll(/<\w[\w.]*(?:\s[^<>]*)?>\s*([^<>{}()=;]*?\p{L}{2}[^<>{}()=;]*?)\s*<\//gu),
  ].map(([, text]) => text as string)
  const attributes = [
    ...code.matchAll(/\s(?:aria-label|placeholder|title|label|description|alt)="([^"]*\p{L}{2}[^"]*)"/gu),
  ]
  return [...texts, ...attributes.map(([, text]) => text as string)].filter((text) => !allowed.has(text))
}

/** Texts that are the same in every language. */
const allowed = new Set(['Patchbay', 'https://'])

describe('Translations', () => {
  test.each(languages.slice(1))('%s has every entry of en, with the same values in it', (language) => {
    const english = catalogue('en')
    const other = catalogue(language)
    expect([...other.keys()].sort()).toEqual([...english.keys()].sort())
    const values = (text = '') => [...new Set(text.match(/\{\{\w+\}\}/g))].sort()
    for (const [name, text] of english) expect(values(other.get(name)), name).toEqual(values(text))
    for (const [name, text] of other) expect(text.trim(), name).not.toBe('')
  })

  test('the code of the web application contains no visible texts', () => {
    const files = globSync('web/**/*.tsx', { cwd: inRoot('') })
    expect(files.length).toBeGreaterThan(50)
    const found = files.flatMap((file) =>
      literals(readFileSync(inRoot(file), 'utf8')).map((text) => `${file}: ${text}`),
    )
    expect(found).toEqual([])
  })

  test('the search for such texts finds one', () => {
    expect(literals('<p className="x">Hello there</p>')).toEqual(['Hello there'])
    expect(literals('<Input placeholder="Your name" />')).toEqual(['Your name'])
    expect(literals("<p>{t('a.b')}</p>")).toEqual([])
  })
})
