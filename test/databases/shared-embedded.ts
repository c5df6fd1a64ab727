import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { inject } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { fileIn } from '../../src/db/sqlite/sqlite-file.ts'
import { tables } from '../../src/db/tables.ts'
import { freshDatabase } from './databases.ts'
import type { SharedDatabase } from './shared-database.ts'

/** Opens an embedded database that worlds can share, with their other files in its folder. */
export async function openEmbedded(): Promise<SharedDatabase> {
  const folder = mkdtempSync(join(inject('templates'), 'shared-'))
  await freshDatabase(folder, 'sqlite')
  const onCommitFailure = (error: unknown) => {
    throw error
  }
  const db = openDatabase({ database_url: '', data_dir: folder }, { onCommitFailure })
  const emptyRows = rowsOf(fileIn(folder))
  const empty = async () => {
    // Statements of the last event share a snapshot, and transactions a commit.
    await setImmediate()
    const isEmpty = emptyRows()
    const own = basename(fileIn(folder))
    for (const name of readdirSync(folder))
      if (!name.startsWith(own)) rmSync(join(folder, name), { recursive: true })
    return isEmpty
  }
  return { url: '', folder, db, empty }
}

/**
 * Returns a function that empties the tables by a handle without foreign keys, where their order does not matter, and then
 * the log, so that it contains the pages of one world only.
 */
function rowsOf(file: string): () => boolean {
  const sqlite = new Sqlite(file, { timeout: 0 })
  sqlite.pragma('foreign_keys = OFF')
  const stateOf = () => [
    sqlite.pragma('schema_version', { simple: true }),
    statistics.get(),
    migrations.get(),
  ]
  const statistics = sqlite.prepare('select group_concat(stat) from sqlite_stat1').pluck()
  const migrations = sqlite.prepare('select count(*) from additive_migrations').pluck()
  const before = stateOf().join()
  const filled = sqlite.prepare(`select ${tables.map((name) => `exists (select 1 from ${name})`)}`).raw()
  const deletes = tables.map((name) => sqlite.prepare(`delete from ${name}`))
  const restart = sqlite.prepare('update sequences set last = 0 where last <> 0')
  const deleteAll = sqlite.transaction(() => {
    for (const [index, isFilled] of (filled.get() as number[]).entries()) if (isFilled) deletes[index]?.run()
    restart.run()
  })
  return () => {
    if (stateOf().join() !== before) return false
    deleteAll.immediate()
    const [{ busy }] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
    return busy === 0
  }
}
