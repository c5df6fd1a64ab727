import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { scratch } from './scratch.ts'

/** A new folder, which is removed at the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(scratch, 'patchbay-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
