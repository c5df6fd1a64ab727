import { globSync, readFileSync } from 'node:fs'

/** Codes that a refusal is given: as an option, or as the argument of a function that makes refusals. */
const GIVEN = /(?:new Refusal\([^;]*?\bcode: '([a-z_]+)')|(?:\b(?:notAuthorized|tokenRefusal)\('([a-z_]+)')/gs

/** The codes that the sources give to refusals, without those that they compute. */
export function refusalsInSources(): string[] {
  const files = globSync('src/**/*.ts').filter((path) => !path.includes('.test.'))
  const found = files.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(GIVEN)])
  return [...new Set(found.map(([, option, argument]) => option ?? argument ?? ''))].sort()
}
