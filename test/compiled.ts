import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './program.ts'
import { scratch } from './scratch.ts'

/**
 * Keeps what Node makes of the program's files, for the whole run: a start is half done with that, and tests start the
 * program hundreds of times. One that is killed keeps nothing, so it is run once to its end before.
 */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(scratch, 'patchbay-compiled-'))
  process.env.NODE_COMPILE_CACHE = folder
  await runProgram(['help'], {})
  return () => rmSync(folder, { recursive: true, force: true })
}
