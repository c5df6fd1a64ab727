import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { prepareDemo } from '../src/commands/demo.ts'
import { closeContext, openContext } from '../src/commands/open.ts'
import { emptyDatabase, type Place } from './databases.ts'
import { hashAtFullCost } from './fast-hashing.ts'

/**
 * Where `patchbay dev` was started before, on the embedded database: its demo account takes three times as long as a
 * start. All such places of a run are copies, with the same keys. On PostgreSQL, the place is empty.
 */
export async function placeWithDemo(): Promise<Place> {
  const place = await emptyDatabase()
  if (!place.database_url) cpSync(await demoTemplate(), place.data_dir, { recursive: true })
  return place
}

async function demoTemplate(): Promise<string> {
  const template = join(inject('templates'), 'demo')
  if (existsSync(template)) return template
  // Another thread may make one at the same time. The first is kept.
  const folder = mkdtempSync(`${template}-`)
  hashAtFullCost()
  const ctx = await openContext({
    mode: 'dev',
    env: { DATA_DIR: folder, LOG_LEVEL: 'warn' },
    create: true,
  })
  await prepareDemo(ctx)
  await closeContext(ctx)
  try {
    renameSync(folder, template)
  } catch {
    rmSync(folder, { recursive: true })
  }
  return template
}
