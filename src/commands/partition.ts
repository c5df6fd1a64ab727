import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { isPostgres } from '../db/dialect.ts'
import { isDistributed } from '../db/distribution/distributed.ts'
import { findPartitioned, partitionedTables, partitionTable } from '../db/distribution/partitions.ts'
import { retryOnContention } from '../leased-runner.ts'
import { withContext } from './open.ts'
import type { Command } from './run.ts'

const DEFAULT = 16
const MOST = 1_024

export const partition: Command = {
  name: 'partition',
  summary:
    'Split the large tables of PostgreSQL into partitions by account. Needs as much free space as the largest of them.',
  options: {
    parts: { value: 'N', description: `the number of partitions of each table [${DEFAULT}]` },
  },
  async run({ parts = String(DEFAULT) }) {
    const count = Number(parts)
    if (!/^\d+$/.test(parts) || count < 2 || count > MOST)
      throw new ConfigError(`--parts is not a number from 2 to ${MOST}: ${parts}`)
    await withContext((ctx) => partitionAll(ctx, count))
  },
}

async function partitionAll({ db }: Context, count: number): Promise<void> {
  if (!isPostgres(db))
    throw new ConfigError('Only PostgreSQL has partitions. Set DATABASE_URL to the database of your server.')
  if (isDistributed(db))
    throw new ConfigError('The database is distributed: its tables are in pieces by account already.')
  const done = await findPartitioned(db)
  for (const table of partitionedTables) {
    const rows = done.has(table) ? null : await retryOnContention(() => partitionTable(db, table, count))
    process.stdout.write(
      rows === null ? `${table} is partitioned already\n` : `${table}: ${rows} rows in ${count} partitions\n`,
    )
  }
}
