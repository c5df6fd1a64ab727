import { posix } from 'node:path'
import type { Rule, Source } from './architecture.ts'

const BOTH = '.both.test.ts'
/** Detects tests that start a second process, or that depend on the kind of database. */
const DIFFERS = /\bsecondProcess\(|\bkindOfRun\b|TEST_DATABASE === 'postgres'/

const isQueries = ({ path }: Source): boolean => /^src\/.*queries\.ts$/.test(path)

/**
 * Tests of behaviour that can differ between the databases run on both. Each folder with queries has such a file, and
 * so has every test that starts a second process or depends on the kind of database.
 */
export const databasesAreBothTested: Rule = (sources) => {
  const tested = new Set(
    sources.filter(({ path }) => path.endsWith(BOTH)).map(({ path }) => posix.dirname(path)),
  )
  const untested = new Set(sources.filter(isQueries).map(({ path }) => posix.dirname(path)))
  return [
    ...[...untested]
      .filter((folder) => !tested.has(folder))
      .map((folder) => `${folder} has queries, and no test that ends in ${BOTH}`),
    ...sources
      .filter(({ path, text }) => /\.test\.ts$/.test(path) && !path.endsWith(BOTH) && DIFFERS.test(text))
      .filter(({ path }) => !path.startsWith('test/sources/architecture'))
      .map(({ path }) => `${path} differs by database: its name should end in ${BOTH}`),
  ]
}
