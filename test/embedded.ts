import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { scratch } from './scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of a database that has its schema and nothing else: every world on the embedded one is a copy of it. */
    embedded: string
  }
}

/** Makes the database that worlds are copied from, for the whole run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const data_dir = mkdtempSync(join(scratch, 'patchbay-embedded-'))
  const db = openDatabase({ database_url: '', data_dir }, { onCommitFailure: () => {} })
  await migrate(db, 0)
  await db.destroy()
  project.provide('embedded', data_dir)
  return () => rmSync(data_dir, { recursive: true, force: true })
}
