import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { scratch } from '../programs/scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the databases that tests copy, one per folder. */
    templates: string
  }
}

/** The folder of a database that has its schema and nothing else: every world on the embedded one is a copy of it. */
export const emptyTemplate = (templates: string): string => join(templates, 'empty')

/** Makes the database that worlds are copied from, for the whole run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const templates = mkdtempSync(join(scratch, 'patchbay-templates-'))
  const data_dir = emptyTemplate(templates)
  mkdirSync(data_dir)
  const db = openDatabase({ database_url: '', data_dir }, { onCommitFailure: () => {} })
  await migrate(db, 0)
  await db.destroy()
  project.provide('templates', templates)
  return () => rmSync(templates, { recursive: true, force: true })
}
