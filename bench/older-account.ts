import type { Kysely } from 'kysely'
import type { Context } from '../src/context.ts'
import { type Db, openDatabase, type Tx } from '../src/db/database.ts'
import { continueIds, liftTimeLimits } from '../src/db/dialect.ts'
import { insertRows } from '../src/db/row-sets.ts'
import { type Tables, tables } from '../src/db/tables.ts'
import { createOlderSchema, migrationsBefore } from '../test/databases/older-schema.ts'
import { copyAccount } from './scale-account.ts'

const ROWS_AT_ONCE = 2_000

interface Older {
  /** The first migration that the older release does not have. */
  before: string
  env: Record<string, string>
  /** The number of copies of the smallest account, and of its log. */
  copies: number
  log: number
}

/** Fills a database of an older release with the rows of the smallest account, and copies of them. */
export async function fillOlder(source: Context, { before, env, copies, log }: Older): Promise<void> {
  const place = { database_url: env.DATABASE_URL ?? '', data_dir: env.DATA_DIR ?? '' }
  const db = openDatabase(place, {
    onCommitFailure: (error) => {
      throw error
    },
  })
  try {
    await db.transaction().execute((tx) => createOlderSchema(tx, before))
    const columns = await columnsOf(db)
    await source.db
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute(async (from) => {
        // A table is read for longer than a request may take.
        await liftTimeLimits(from)
        for (const table of tables) await copyTable(from, db, table, columns.get(table) ?? new Set())
      })
    await db.transaction().execute(async (tx) => {
      for (const table of migrationsBefore(before).flatMap(({ counted }) => counted))
        await continueIds(tx, table)
    })
    await copyAccount({ db, config: place }, 1, copies, {
      log,
      columnsOf: (table) => [...(columns.get(table) ?? [])],
    })
  } finally {
    await db.destroy()
  }
}

async function columnsOf(db: Db): Promise<Map<string, Set<string>>> {
  const found = await db.introspection.getTables()
  return new Map(found.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]))
}

/** Copies the columns that both releases have. */
async function copyTable(from: Db, to: Db, table: keyof Tables, columns: Set<string>): Promise<void> {
  if (columns.size === 0) return
  const rows: Record<string, unknown>[] = []
  const flush = () => to.transaction().execute((tx: Tx) => insertRows(tx, table, rows.splice(0) as never[]))
  for await (const row of anyTable(from).selectFrom(table).selectAll().stream(ROWS_AT_ONCE)) {
    rows.push(Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name))))
    if (rows.length >= ROWS_AT_ONCE) await flush()
  }
  await flush()
}

const anyTable = (db: Db) => db as unknown as Kysely<Record<string, Record<string, unknown>>>
