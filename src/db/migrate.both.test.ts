import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dropDatabase, emptyDatabase } from '../../test/databases/databases.ts'
import { olderDatabase } from '../../test/databases/older-database.ts'
import { type Db, openDatabase } from './database.ts'
import { migrate, NewerSchemaError } from './migrate.ts'
import { migrations } from './migrations/migrations.ts'
import { counted, tables } from './tables.ts'

const NOW = 1_700_000_000
const names = migrations.map(({ name }) => name)
const isPostgres = process.env.TEST_DATABASE === 'postgres'
/** The store of the request log, which is a file of its own with SQLite (Q3), and the notes of changes (S45). */
const besideData = isPostgres ? ['request_batches', 'changed_tables', 'changed_tables_floor'] : []

/** An empty database, and handles of it. */
async function empty() {
  const where = await emptyDatabase()
  const handle = (): Db => {
    const db = openDatabase(where, { onCommitFailure: () => {} })
    onTestFinished(() => db.destroy())
    return db
  }
  return { where, handle, db: handle() }
}

describe('Migrating a database to this version', () => {
  test.runIf(isPostgres)('refuses one that cannot store every text, and changes nothing in it', async () => {
    const { db, where } = await empty()
    const name = new URL(where.database_url).pathname.slice(1)
    const latin = `${name}_latin`
    await sql
      .raw(`create database ${latin} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`)
      .execute(db)
    onTestFinished(() => dropDatabase(`postgres://x/${latin}`))
    const database_url = where.database_url.replace(`/${name}`, `/${latin}`)
    const other = openDatabase({ ...where, database_url }, { onCommitFailure: () => {} })
    onTestFinished(() => other.destroy())
    await expect(migrate(other, NOW)).rejects.toThrow(
      /^The database has the encoding LATIN1; it must be UTF8: create database /,
    )
    expect(await other.introspection.getTables()).toEqual([])
  })

  test('creates every table once, and returns what it applied', async () => {
    const { db } = await empty()
    expect(await migrate(db, NOW)).toEqual(names)
    expect(await migrate(db, NOW + 1)).toEqual([])
    expect((await db.introspection.getTables()).map(({ name }) => name).sort()).toEqual(
      [...tables, ...besideData, 'migrations', 'additive_migrations', 'sequences'].sort(),
    )
    expect(await db.selectFrom('migrations').selectAll().execute()).toEqual(
      names.map((name) => ({ name, applied_at: NOW })),
    )
  })

  // With SQLite, concurrent callers must be separate processes, as below: it blocks while it waits.
  test.runIf(isPostgres)('happens once with several concurrent callers', async () => {
    const { db, handle } = await empty()
    const done = await Promise.all([db, handle(), handle(), handle()].map((one) => migrate(one, NOW)))
    expect(done.filter((applied) => applied.length > 0)).toEqual([names])
    for (const table of tables) expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  test.runIf(isPostgres)('does not let requests wait behind it while a long read is in its way', async () => {
    const { db, place } = await olderDatabase('033-acting-integrations')
    const reader = new pg.Client({ connectionString: place.database_url })
    await reader.connect()
    onTestFinished(() => reader.end())
    await reader.query('begin; select from entities')
    await expect(migrate(db, NOW)).rejects.toMatchObject({ code: '55P03' })
    await reader.query('rollback')
    expect((await migrate(db, NOW))[0]).toBe('033-acting-integrations')
  })

  test('happens once with several concurrent processes', async () => {
    const { where, db } = await empty()
    const program = `
      import { openDatabase } from './src/db/database.ts'
      import { migrate } from './src/db/migrate.ts'
      const db = openDatabase(${JSON.stringify(where)}, { onCommitFailure: () => {} })
      process.stdout.write(JSON.stringify(await migrate(db, 1)))
      await db.destroy()`
    const run = () =>
      new Promise<string>((resolve) => {
        const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
          cwd: join(import.meta.dirname, '../..'),
        })
        let text = ''
        child.stdout.on('data', (chunk) => (text += chunk))
        child.stderr.on('data', (chunk) => (text += chunk))
        child.on('close', () => resolve(text))
      })
    expect((await Promise.all([run(), run(), run()])).sort()).toEqual(
      [JSON.stringify(names), '[]', '[]'].sort(),
    )
    expect(await migrate(db, NOW)).toEqual([])
  })

  test('is refused for a newer schema, which stays unchanged', async () => {
    const { db } = await empty()
    await migrate(db, NOW)
    await db
      .transaction()
      .execute((tx) =>
        tx.insertInto('migrations').values({ name: '999-tomorrow', applied_at: NOW }).execute(),
      )
    const refused = await migrate(db, NOW).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(NewerSchemaError)
    expect((refused as Error).message).toBe('The database is newer than this version: 999-tomorrow')
    expect(
      (await db.selectFrom('migrations').select('name').orderBy('name').execute()).map(({ name }) => name),
    ).toEqual([...names, '999-tomorrow'])
  })

  test('is complete or has no effect', async () => {
    const { db } = await empty()
    // A foreign table occupies the name of one of the last tables.
    await db
      .transaction()
      .execute(async (tx) => void (await sql`create table delivery_attempts (x integer)`.execute(tx)))
    await expect(migrate(db, NOW)).rejects.toThrow('already exists')
    expect((await db.introspection.getTables()).map(({ name }) => name)).toEqual(['delivery_attempts'])
  })
})

describe('The schema', () => {
  test('enforces its types on both databases', async () => {
    const { db } = await empty()
    await migrate(db, NOW)
    const put = (value: unknown) =>
      db.transaction().execute((tx) =>
        tx
          .insertInto('migrations')
          .values({ name: 'x', applied_at: value as number })
          .execute(),
      )
    await expect(put('text')).rejects.toThrow()
    await expect(put(null)).rejects.toThrow()
    await expect(put(1.5)).rejects.toThrow()
    await put(2 ** 53 - 1)
    const row = await db
      .selectFrom('migrations')
      .select('applied_at')
      .where('name', '=', 'x')
      .executeTakeFirstOrThrow()
    expect(row.applied_at).toBe(2 ** 53 - 1)
  })

  test('has sequences for exactly the counted tables', async () => {
    const { db } = await empty()
    await migrate(db, NOW)
    const { rows } = isPostgres
      ? await sql<{
          name: string
        }>`select replace(sequencename, '_ids', '') as name from pg_sequences`.execute(db)
      : await sql<{ name: string }>`select name from sequences`.execute(db)
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [...counted, ...(isPostgres ? ['request_batches_id_seq'] : [])].sort(),
    )
  })

  test('has the tenant first in the key of every table of tenants', async () => {
    const { db } = await empty()
    await migrate(db, NOW)
    const found = await db.introspection.getTables()
    const tenants = ['groups', 'roles', 'members', 'task_types', 'audit_log', 'installations', 'sources']
    for (const name of tenants)
      expect([name, found.find((table) => table.name === name)?.columns[0]?.name]).toEqual([
        name,
        'account_id',
      ])
  })
})
