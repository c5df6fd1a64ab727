import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { world } from '../../test/world.ts'

const sources = globSync('src/**/*.ts', { cwd: new URL('../..', import.meta.url) }).filter(
  (file) => !file.endsWith('.test.ts'),
)

/** The codes of refusals in the source. */
function names(source: string): string[] {
  const given = source.matchAll(
    /new Refusal\([^;]*?code: '([a-z_]+)'|const code =[^;\n]*?\n?[^;\n]*?'([a-z_]*[a-z])'(?: : '([a-z_]+)')?/g,
  )
  return [...given].flatMap(([, ...found]) => found.filter((name) => name !== undefined))
}

test('every code in the type of a problem is documented at that address (V1)', async () => {
  const { stranger } = await world()
  const page = await stranger.get('/docs/errors')
  expect(page.status).toBe(200)
  const documented = [...page.text.matchAll(/<dt id="([a-z_]+)">/g)].map(([, name]) => name)
  const used = sources.flatMap((file) =>
    names(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')),
  )
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((name) => !documented.includes(name) && name !== 'public')).toEqual([])
})
