import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('every error text that the web application translates is one of the server', () => {
  const translated = [...read('web/jobs/row-error.ts').matchAll(/^ {2}'([^']+)': '/gm)].map(
    ([, text]) => text,
  )
  const server = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .map(read)
    .join('\n')
  expect(translated.length).toBeGreaterThan(20)
  expect(translated.filter((text) => !server.includes(text as string))).toEqual([])
})
