import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { scratch } from './scratch.ts'

/**
 * Makes the folder in which Node keeps the compiled files of the program for the whole run: compiling them is half of a
 * start, and tests start the program hundreds of times (`compiledProgram`).
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(scratch, 'patchbay-compiled-'))
  process.env.NODE_COMPILE_CACHE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
