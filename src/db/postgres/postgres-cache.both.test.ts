import { sql, type Transaction } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { addCitus } from '../../../test/databases/citus-stand-in.ts'
import { kindOfRun, migratedDatabase } from '../../../test/databases/databases.ts'
import { times } from '../../../test/long.ts'
import { CHANGES_SINCE, type Changes, deleteOldChanges } from '../changed-tables.ts'
import { type Db, openDatabase } from '../database.ts'
import { asOneWork } from '../database-waits.ts'
import { placeTables } from '../distribution/citus.ts'
import { cached } from '../prepared.ts'
import type { Tables } from '../tables.ts'

const onPostgres = kindOfRun() === 'postgres'

const userNamed = cached((db, at: { id: number }) =>
  db.selectFrom('users').select(['id', 'name']).where('id', '=', at.id),
)
const setting = cached((db, at: { name: string }) =>
  db.selectFrom('settings').select('value').where('name', '=', at.name),
)
const listsOf = cached((db, at: { account_id: number }) =>
  db.selectFrom('catalogs').select(['id', 'name']).where('account_id', '=', at.account_id),
)

type Write = (tx: Transaction<Tables>) => Promise<unknown>

const rename =
  (name: string): Write =>
  (tx) =>
    sql`update users set name = ${name} where id = 1`.execute(tx)
const read = async (db: Db) => (await userNamed(db, { id: 1 }))[0]?.name
const rowsOf = (db: Db) => userNamed(db, { id: 1 })
const write = (db: Db, work: Write) => db.transaction().execute(work)

/** A database with one user, and handles of it: each is a program of its own. */
async function programs<const N extends number>(count: N) {
  const place = await migratedDatabase()
  const open = () => {
    const db = openDatabase(place, { onCommitFailure: () => {} })
    onTestFinished(() => db.destroy())
    return db
  }
  const [db, ...others] = Array.from({ length: count }, open) as [Db, ...Db[]]
  const user = sql`insert into users (id, uuid, amojo_id, email, name, lang, password_hash, created_at, updated_at)
    values (1, 'u', 'a', 'a@example.com', '0', 'en', 'x', 1, 1)`
  await write(db, (tx) => user.execute(tx))
  return { db, others: others as Db[], url: place.database_url }
}

/** Another client of the database, without the program. */
async function stranger(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function changesSince(client: pg.Client, snapshot: string | null): Promise<Changes> {
  return (await client.query(CHANGES_SINCE, [snapshot])).rows[0].changes
}

/** Adds notes of the first transactions of the database, which ended long ago. */
const addNotes = (client: pg.Client, count: number) =>
  client.query(
    `insert into changed_tables select (1 + n % 500)::text::xid8, 'table ' || n from generate_series(1, $1::bigint) as n`,
    [count],
  )

describe.runIf(onPostgres)('Results on PostgreSQL', () => {
  test('are kept until their table changes', async () => {
    const { db } = await programs(1)
    const rows = await rowsOf(db)
    expect(await rowsOf(db)).toBe(rows)
    expect(Object.isFrozen(rows) && Object.isFrozen(rows[0])).toBe(true)
    await write(db, (tx) => sql`update accounts set name = 'x'`.execute(tx))
    expect(await rowsOf(db)).toBe(rows)
    await write(db, rename('1'))
    expect(await read(db)).toBe('1')
  })

  test('are read each time if changes of their table are not noted', async () => {
    const { db } = await programs(1)
    await write(db, (tx) => sql`insert into settings values ('a', '1')`.execute(tx))
    expect(await setting(db, { name: 'a' })).toEqual([{ value: '1' }])
    await write(db, (tx) => sql`update settings set value = '2'`.execute(tx))
    expect(await setting(db, { name: 'a' })).toEqual([{ value: '2' }])
  })

  test('are never those before the last commit of three programs that commit in turns', async () => {
    const { db, others } = await programs(3)
    const all = [db, ...others]
    for (let n = 1; n <= 60; n++) {
      await write(all[n % 3] as Db, rename(String(n)))
      expect(await Promise.all(all.map(read))).toEqual(all.map(() => String(n)))
    }
  })

  test('contain what a transaction wrote that commits long afterwards', async () => {
    const { db, others, url } = await programs(2)
    const slow = await stranger(url)
    await slow.query('begin')
    await slow.query(`update users set name = 'late' where id = 1`)
    for (let n = 0; n < 5; n++) {
      await write(others[0] as Db, (tx) => sql`update accounts set name = 'x'`.execute(tx))
      expect(await read(db)).toBe('0')
    }
    const rows = await rowsOf(db)
    expect(await rowsOf(db)).toBe(rows)
    await slow.query('commit')
    expect(await read(db)).toBe('late')
  })

  test('end with a savepoint that is kept, not with one that is rolled back', async () => {
    const { db, url } = await programs(1)
    const other = await stranger(url)
    const rows = await rowsOf(db)
    await other.query('begin; savepoint a')
    await other.query(`update users set name = 'undone' where id = 1`)
    await other.query('rollback to savepoint a; commit')
    expect(await rowsOf(db)).toBe(rows)
    await other.query('begin; savepoint a')
    await other.query(`update users set name = 'undone' where id = 1`)
    await other.query('rollback to savepoint a; savepoint b')
    await other.query(`update users set name = 'kept' where id = 1`)
    await other.query('release savepoint b; commit')
    expect(await read(db)).toBe('kept')
  })

  test('end with a truncation, and with a change of a session without ordinary triggers', async () => {
    const { db, url } = await programs(1)
    const other = await stranger(url)
    expect(await read(db)).toBe('0')
    await other.query('set session_replication_role = replica')
    await other.query(`update users set name = '1' where id = 1`)
    expect(await read(db)).toBe('1')
    await other.query('truncate users cascade')
    expect(await read(db)).toBe(undefined)
  })

  test('are not used in a transaction, which sees its own changes', async () => {
    const { db } = await programs(1)
    expect(await read(db)).toBe('0')
    await write(db, async (tx) => {
      await rename('1')(tx)
      expect(await read(tx)).toBe('1')
      expect(await read(db)).toBe('0')
    })
    expect(await read(db)).toBe('1')
  })

  test('are those after its own commit for work that asked before', async () => {
    const { db } = await programs(1)
    await asOneWork(async () => {
      expect(await read(db)).toBe('0')
      await write(db, rename('1'))
      expect(await read(db)).toBe('1')
    })
  })

  test('are read with one question by work that waits for nothing but the database', async () => {
    const { db } = await programs(1)
    await read(db)
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => spy.mockRestore())
    await asOneWork(async () => {
      await read(db)
      await sql`select 1`.execute(db)
      await read(db)
    })
    const texts = spy.mock.calls.map(([asked]) => (asked as unknown as { text?: string }).text ?? asked)
    expect(texts).toEqual([CHANGES_SINCE, 'select 1'])
  })
})

describe.runIf(onPostgres)('Notes of changed tables', () => {
  test('that were deleted end the results of programs that have not asked since', async () => {
    const { db, others, url } = await programs(2)
    const other = others[0] as Db
    const client = await stranger(url)
    expect([await read(db), await read(other)]).toEqual(['0', '0'])
    const { snapshot } = await changesSince(client, null)
    await client.query(`update users set name = '1' where id = 1`)
    // The first run of the deletion only notes what has ended.
    await deleteOldChanges(db)
    expect((await changesSince(client, snapshot)).is_complete).toBe(true)
    // A transaction of another database of the server can still be open.
    const countNotes = async () => {
      await deleteOldChanges(db, 1)
      return (await client.query('select count(*)::int from changed_tables')).rows[0].count
    }
    await expect.poll(countNotes).toBe(0)
    expect(await changesSince(client, snapshot)).toMatchObject({ is_complete: false, names: [] })
    const fresh = await changesSince(client, null)
    expect(await changesSince(client, fresh.snapshot)).toMatchObject({ is_complete: true, names: [] })
    expect([await read(db), await read(other)]).toEqual(['1', '1'])
  })

  test('of a table that was emptied or replaced end all results', async () => {
    const { db, url } = await programs(1)
    const client = await stranger(url)
    expect(await read(db)).toBe('0')
    await client.query(`begin; update users set name = '1' where id = 1; truncate changed_tables; commit`)
    expect(await read(db)).toBe('1')
    await client.query(`begin; update users set name = '2' where id = 1;
      create table other (like changed_tables including all); drop table changed_tables;
      alter table other rename to changed_tables; commit`)
    expect(await read(db)).toBe('2')
    await client.query(`update users set name = '3' where id = 1`)
    expect(await read(db)).toBe('3')
  })

  test('of tables that were placed on several servers are missed by no program that runs', async () => {
    const { db, others, url } = await programs(2)
    const client = await stranger(url)
    const readLists = () => listsOf(db, { account_id: 1 })
    expect(await readLists()).toEqual([])
    await addCitus(others[0] as Db)
    await placeTables(others[0] as Db, 4, () => {})
    await client.query(
      `insert into catalogs (account_id, id, name, type, sort, can_add_elements, can_show_in_cards, can_link_multiple,
         can_be_deleted, sums_leads, created_by, updated_by, created_at, updated_at)
       values (1, 1, 'Products', 'products', 1, 1, 1, 1, 0, 0, 1, 1, 1, 1)`,
    )
    expect(await readLists()).toMatchObject([{ name: 'Products' }])
  })

  test('that cannot be read leave every request to the database', async () => {
    const { db, url } = await programs(1)
    const client = await stranger(url)
    expect(await read(db)).toBe('0')
    await client.query('alter function tables_changed_since rename to gone')
    await client.query(`update users set name = '1' where id = 1`)
    expect(await read(db)).toBe('1')
    await client.query(`update users set name = '2' where id = 1`)
    expect(await read(db)).toBe('2')
    await client.query('alter function gone rename to tables_changed_since')
    expect(await read(db)).toBe('2')
  })

  test('are not trusted by a connection that is newer than the last question', async () => {
    const { db, url } = await programs(1)
    const client = await stranger(url)
    const rows = await rowsOf(db)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await expect.poll(() => read(db).catch(() => undefined)).toBe('0')
    expect(await rowsOf(db)).not.toBe(rows)
  })

  test('are at most some thousand for a question, found by the index, while an old transaction is open', async () => {
    const { url } = await programs(1)
    const [old, client] = [await stranger(url), await stranger(url)]
    await old.query('begin; select pg_current_xact_id()')
    await old.query(`update users set name = 'late' where id = 1`)
    await addNotes(client, times(10_000, 100_000))
    const { snapshot } = await changesSince(client, null)
    const readRows = async (last: string) => {
      await client.query('begin')
      const { is_complete, names } = await changesSince(client, last)
      const { rows } = await client.query(
        `select seq_tup_read::int as scanned, idx_tup_fetch::int as found from pg_stat_xact_user_tables
         where relname = 'changed_tables'`,
      )
      await client.query('commit')
      return { is_complete, names, ...rows[0] }
    }
    expect(await readRows(snapshot)).toMatchObject({ is_complete: true, names: [], scanned: 0 })
    // All of them are newer than this snapshot.
    const first = await readRows('1:1:')
    expect(first).toMatchObject({ is_complete: false, scanned: 0 })
    expect(first.found).toBeLessThan(1_100)
    // The plan for all snapshots, after some for one, is no other.
    for (let n = 0; n < 10; n++) expect((await readRows('1:1:')).scanned).toBe(0)
    await old.query('commit')
    expect((await readRows(snapshot)).names).toEqual(['users'])
  })
})
