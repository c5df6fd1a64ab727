import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, readConfig } from '../config.ts'
import { type Db, openDatabase } from '../db/database.ts'
import {
  countOtherSessions,
  DEFAULT_SHARDS,
  findSplit,
  hasCitus,
  PartlyDistributedError,
  placeTables,
} from '../db/distribution/citus.ts'
import { migrate } from '../db/migrate.ts'
import { naming } from './machine-errors.ts'
import type { Command } from './run.ts'

const MOST = 1_024
const PATIENCE_MS = 2_000
const POLL_MS = 50

export const distribute: Command = {
  name: 'distribute',
  summary:
    'Spread the accounts over the servers of a PostgreSQL with Citus. Stop the servers of Patchbay and make a backup before.',
  options: {
    shards: {
      value: 'N',
      description: `the number of pieces of each table, for all accounts together; ${DEFAULT_SHARDS} by default`,
    },
  },
  async run({ shards = String(DEFAULT_SHARDS) }) {
    const count = Number(shards)
    if (!/^\d+$/.test(shards) || count < 1 || count > MOST)
      throw new ConfigError(`--shards is not a number from 1 to ${MOST}: ${shards}`)
    const config = readConfig('command', process.env)
    // Opening the embedded database would create its file.
    if (!config.database_url) throw new ConfigError(NO_CITUS)
    const db = openDatabase(config, {
      onCommitFailure: (error) => {
        throw error
      },
    })
    try {
      await naming('DATABASE_URL', () => distributeAll(db, count))
    } finally {
      await db.destroy()
    }
  },
}

const NO_CITUS =
  'The database has no Citus. Set DATABASE_URL to a PostgreSQL with this extension ("create extension citus").'

async function distributeAll(db: Db, shards: number): Promise<void> {
  if (!(await hasCitus(db))) throw new ConfigError(NO_CITUS)
  const others = await countRemainingSessions(db)
  if (others > 0)
    throw new ConfigError(
      `The database is in use (other connections: ${others}). Stop the servers of Patchbay, so that no change is missed.`,
    )
  const split = await findSplit(db)
  if (split.length > 0)
    throw new ConfigError(
      `Tables have partitions: ${split.join(', ')}. Restore a backup into an empty database, and distribute that.`,
    )
  const now = Math.floor(Date.now() / 1000)
  // An interrupted run goes on first: a database that is distributed in part is not migrated.
  const wasInterrupted = (await migrate(db, now).catch(ofInterruption)) === null
  let placed = 0
  await placeTables(db, shards, (tables) => {
    placed += tables.length
    process.stdout.write(`${tables.join(', ')}: distributed\n`)
  })
  if (wasInterrupted) await migrate(db, now)
  process.stdout.write(
    placed > 0
      ? 'The database is distributed. Start all servers of Patchbay.\n'
      : 'The database is distributed already.\n',
  )
}

/** The connections of a server that has just stopped can take a moment to end. */
async function countRemainingSessions(db: Db): Promise<number> {
  const until = Date.now() + PATIENCE_MS
  let others = await countOtherSessions(db)
  while (others > 0 && Date.now() < until) {
    await sleep(POLL_MS)
    others = await countOtherSessions(db)
  }
  return others
}

function ofInterruption(error: unknown): null {
  if (error instanceof PartlyDistributedError) return null
  throw error
}
