import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Kysely } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addCitus } from '../../test/databases/citus-stand-in.ts'
import {
  copyOf,
  emptyDatabase,
  isDistributedRun,
  type Kind,
  kindOfRun,
  migratedDatabase,
  type Place,
} from '../../test/databases/databases.ts'
import { AT, first, firstVersion, KEY } from '../../test/databases/first-version.ts'
import { indexesOf } from '../../test/databases/indexes.ts'
import { isLong } from '../../test/long.ts'
import { commandLine } from '../../test/programs/command-line.ts'
import { type Db, openDatabase, type Tx } from '../db/database.ts'
import { continueIds, lastIds } from '../db/dialect.ts'
import { DEFAULT_SHARDS, placeTables } from '../db/distribution/citus.ts'
import { partitionTable } from '../db/distribution/partitions.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/migrations.ts'
import { tables } from '../db/tables.ts'

/** The database of the run, and the other kind where both exist. */
const kinds: Kind[] = kindOfRun() === 'postgres' ? ['postgres', 'sqlite'] : ['sqlite']

function handle(place: Place): Db {
  const db = openDatabase(place, { onCommitFailure: () => {} })
  onTestFinished(() => db.destroy())
  return db
}

const command = ({ data_dir, database_url }: Place, words: string[]) =>
  commandLine(words, {
    DATA_DIR: data_dir,
    DATABASE_URL: database_url,
    MASTER_KEY: KEY.toString('base64'),
  })

/** The sorted rows of all tables. */
async function everything(db: Db): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await db.selectFrom(table).selectAll().execute()
    all[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  }
  return all
}

const any = (tx: Tx) => tx as unknown as Kysely<Record<string, Record<string, unknown>>>

/** In the long form, dozens of databases are upgraded and restored. */
const TIMEOUT = { timeout: isLong ? 900_000 : 120_000 }

/** Inserts a row into the table that a statement of a migration has created. */
async function addRow(tx: Tx, statement: string): Promise<void> {
  const [, table, columns = ''] = /^create table (\w+) \(([\s\S]*)\)$/.exec(statement) ?? []
  if (!table) return
  const row: Record<string, unknown> = {}
  for (const [, column = '', type = ''] of columns.matchAll(
    /(?:^|,)\s*(\w+) (bigint|text|bytea|double precision)\b/g,
  ))
    row[column] = type === 'text' ? '[]' : type === 'bytea' ? Buffer.from([1]) : 1
  for (const [, column = '', referred = '', key = ''] of columns.matchAll(
    /(?:^|,)\s*(\w+) \w+[^,]*? references (\w+) \((\w+)\)/g,
  ))
    row[column] = (await any(tx).selectFrom(referred).select(key).executeTakeFirstOrThrow())[key]
  await any(tx)
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The versions whose backups are tried: the first, those before a column is renamed, and in the long form all. */
const isTried = (i: number): boolean =>
  i >= first.length - 1 &&
  i < migrations.length - 1 &&
  (isLong || i === first.length - 1 || / rename column /.test(`${migrations[i + 1]?.statements}`))

/** A database of the first version, upgraded one migration after the other: copies of some of its states, and backups of them. */
async function earlierStates(): Promise<{ name: string; file: string; copy: Place }[]> {
  const { db: begun, place } = await firstVersion()
  let db = begun
  const states: { name: string; file: string; copy: Place }[] = []
  for (const [i, { name, statements, counted }] of migrations.entries()) {
    if (i >= first.length) await migrate(db, AT, migrations.slice(0, i + 1))
    await db.transaction().execute(async (tx) => {
      for (const statement of statements) await addRow(tx, statement)
      for (const table of counted) await continueIds(tx, table)
    })
    if (!isTried(i)) continue
    await db.destroy()
    const copy = await copyOf(place)
    db = handle(place)
    const file = join(place.data_dir, `${name}.gz`)
    // The rows name parts of files, which are missing, and a backup needs at least one (S52).
    mkdirSync(join(copy.data_dir, 'files/1'), { recursive: true })
    writeFileSync(join(copy.data_dir, 'files/1/part'), 'x')
    const made = await command(copy, ['backup', file])
    const others = made.stderr.replaceAll(/^(Parts of files are damaged| {2}).*\n/gm, '')
    expect([name, made.code, others]).toEqual([name, 0, ''])
    states.push({ name, file, copy })
  }
  return states
}

describe('A backup of an earlier version', () => {
  test(
    'is restored into the same rows, sequences and indexes as its database has after an upgrade',
    TIMEOUT,
    async () => {
      const fresh = await Promise.all(
        kinds.map(async (kind) => indexesOf(handle(await migratedDatabase(kind)))),
      )
      for (const { name, file, copy } of await earlierStates()) {
        const upgraded = handle(copy)
        await migrate(upgraded, AT)
        for (const [i, kind] of kinds.entries()) {
          const into = await emptyDatabase(kind)
          const { code, stderr } = await command(into, ['restore', file])
          expect([name, code, stderr]).toEqual([name, 0, ''])
          const restored = handle(into)
          expect(await everything(restored)).toEqual(await everything(upgraded))
          expect(await lastIds(restored)).toEqual(await lastIds(upgraded))
          expect(await indexesOf(restored)).toEqual(fresh[i])
          await restored.destroy()
        }
        await upgraded.destroy()
      }
    },
  )

  test.runIf(!isDistributedRun())('replaces the tables of an empty database, or none of them', async () => {
    const { place } = await firstVersion()
    const file = join(place.data_dir, 'first.gz')
    await command(place, ['backup', file])
    const into = await migratedDatabase()
    const db = handle(into)
    const before = await indexesOf(db)
    const broken = join(place.data_dir, 'broken.gz')
    const lines = gunzipSync(readFileSync(file)).toString().split('\n')
    writeFileSync(broken, gzipSync(lines.slice(0, -2).join('\n')))
    expect((await command(into, ['restore', broken])).stderr).toBe('The backup is incomplete.\n')
    expect(Object.values(await everything(db)).flat()).toEqual([])
    expect((await command(into, ['restore', file])).stderr).toBe('')
    expect((await everything(db)).entities).toHaveLength(2)
    expect(await indexesOf(db)).toEqual(before)
  })

  test.runIf(kindOfRun() === 'postgres' && !isDistributedRun())(
    'is refused for an empty database whose tables are partitioned or distributed',
    async () => {
      const { place } = await firstVersion()
      const file = join(place.data_dir, 'first.gz')
      await command(place, ['backup', file])
      const later = migrations.length - first.length - 3
      const refusal = (layout: string, next: string) => ({
        code: 1,
        stdout: '',
        stderr:
          `The backup is of an older version: it lacks 003-event-indexes, 004-note-lists, 005-drive and ${later} more. ` +
          `The tables of the database are ${layout} already. ` +
          `Restore the backup into a database without tables, and run "patchbay ${next}" afterwards.\n`,
      })
      const split = await migratedDatabase()
      await partitionTable(handle(split), 'notes', 2)
      expect(await command(split, ['restore', file])).toEqual(refusal('partitioned', 'partition'))
      const spread = await migratedDatabase()
      const db = handle(spread)
      await addCitus(db)
      await placeTables(db, DEFAULT_SHARDS, () => {})
      await db.destroy()
      expect(await command(spread, ['restore', file])).toEqual(refusal('distributed', 'distribute'))
    },
  )
})
