import { rmSync } from 'node:fs'
import type { Db } from '../../src/db/database.ts'
import { dropDatabase, isDistributedRun, type Kind } from './databases.ts'
import { openEmbedded } from './shared-embedded.ts'
import { openPostgres } from './shared-postgres.ts'

/**
 * A database of a thread. A new database, its first connections and their first statements take longer than an ordinary
 * test, so the worlds of a thread use one in turn and empty it afterwards.
 */
export interface SharedDatabase {
  /** The address; empty for the embedded database. */
  url: string
  /** The folder of the embedded database; undefined for PostgreSQL. */
  folder: string | undefined
  db: Db
  /**
   * Deletes all rows and restarts all ids. False if a test left something else: an object, statistics of the planner or a
   * lock.
   */
  empty(): Promise<boolean>
}

const open = { sqlite: openEmbedded, postgres: openPostgres }

const kept: Partial<Record<Kind, Promise<SharedDatabase>>> = {}
const borrowed = new Set<Kind>()

/**
 * The database, empty; undefined while another world has it, or where it cannot be emptied: with Citus, foreign keys are
 * checked on other servers.
 */
export async function borrowDatabase(kind: Kind): Promise<SharedDatabase | undefined> {
  if (borrowed.has(kind) || isDistributedRun()) return undefined
  borrowed.add(kind)
  kept[kind] ??= open[kind]()
  return kept[kind]
}

/** Empties the database for the next world, or drops it if that is not enough. */
export async function returnDatabase(kind: Kind, database: SharedDatabase): Promise<void> {
  if (!(await isEmptied(database))) {
    delete kept[kind]
    await database.db.destroy()
    if (database.folder) rmSync(database.folder, { recursive: true, force: true })
    else dropDatabase(database.url)
  }
  borrowed.delete(kind)
}

async function isEmptied(database: SharedDatabase): Promise<boolean> {
  try {
    return await database.empty()
  } catch {
    // A test left a transaction open, or has ended the connections.
    return false
  }
}
