import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addCitus, refusedKeys } from '../../../test/databases/citus-stand-in.ts'
import {
  emptyDatabase,
  isDistributedRun,
  kindOfRun,
  migratedDatabase,
  type Place,
} from '../../../test/databases/databases.ts'
import { misplaced } from '../../../test/databases/placed-statements.ts'
import { recordStatements } from '../../../test/databases/sent-statements.ts'
import { commandLine } from '../../../test/programs/command-line.ts'
import { walkRequests } from '../../../test/walk.ts'
import { world } from '../../../test/world.ts'
import { type Db, openDatabase } from '../database.ts'
import { oldestTransaction } from '../dialect.ts'
import { isUniqueViolation } from '../failures.ts'
import { migrate } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { migrations } from '../migrations/migrations.ts'
import { measureDatabase } from '../sizes.ts'
import { isDistributed } from './distributed.ts'
import { placements } from './distribution.ts'
import { partitionTable } from './partitions.ts'
import { placedTables, placementOf } from './placing-plan.ts'

/** With real Citus, every test database is distributed already. */
const onPostgres = describe.runIf(kindOfRun() === 'postgres' && !isDistributedRun())

function open(place: Place): Db {
  const db = openDatabase(place, { onCommitFailure: () => {} })
  onTestFinished(() => db.destroy())
  return db
}

const env = ({ database_url, data_dir }: Place) => ({
  DATABASE_URL: database_url,
  DATA_DIR: data_dir,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
})
const run = (place: Place, ...words: string[]) => commandLine(['distribute', ...words], env(place))

/** A database with a stand-in for Citus, which nobody uses. */
async function withCitus(place: Place): Promise<Place> {
  const db = openDatabase(place, { onCommitFailure: () => {} })
  await addCitus(db)
  await db.destroy()
  return place
}

async function placed(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; placement: string; shards: string | null }>`
    select relname as name, partmethod::text as placement, shards from pg_dist_partition
    join pg_class on pg_class.oid = logicalrelid`.execute(db)
  return Object.fromEntries(
    rows.map((row) => [row.name, row.placement === 'h' ? 'distributed' : 'reference']),
  )
}

const expected = Object.fromEntries(placedTables.map((table) => [table, placementOf(table)]))

test('Every table has a placement', async () => {
  const tables = await open(await migratedDatabase()).introspection.getTables()
  const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
  // The embedded database has the request log in a file of its own, and counts changes without a table.
  const ofPostgres = ['request_batches', 'changed_tables', 'changed_tables_floor']
  expect(Object.keys(placements).sort()).toEqual([...new Set([...names, ...ofPostgres])].sort())
})

test.skipIf(isDistributedRun())('The command refuses other databases and numbers', async () => {
  const place = await migratedDatabase()
  for (const shards of ['x', '0', '2000'])
    expect((await run(place, '--shards', shards)).stderr).toBe(
      `--shards is not a number from 1 to 1024: ${shards}\n`,
    )
  const { code, stderr } = await run(place)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database has no Citus\. .*\n$/)])
  // It creates no file of a database in a folder that it was not meant for.
  const { data_dir } = await emptyDatabase()
  expect((await run({ data_dir, database_url: '' })).stderr).toBe(stderr)
  expect(readdirSync(data_dir)).toEqual([])
})

test('Migrations do not mix distributed and plain tables', () => {
  const faults = migrations.flatMap(({ statements }) =>
    statements.flatMap((text) => misplaced({ text, values: [] }, { isOfAll: true }) ?? []),
  )
  expect(faults).toEqual([])
})

describe('A statement', () => {
  const fault = (text: string, values: unknown[] = []) => misplaced({ text, values })

  test.each([
    ['select * from notes where id = 1', 'notes has no constant account'],
    ['select * from notes where account_id = any($1)', 'notes has no constant account'],
    ['select * from notes where account_id = 1 or id = 2', 'notes has no constant account'],
    [
      'select * from notes as n left join tags on tags.account_id = n.account_id where n.account_id = 1',
      'tags has no constant account',
    ],
    [
      'select (select max(id) from tags where account_id = 2) from notes where account_id = 1',
      'notes and tags have different accounts',
    ],
    ['select * from notes join accounts on id = account_id', 'notes is distributed and accounts is plain'],
    [
      'with written as (insert into deliveries (id) values (1)) delete from notes where account_id = 1',
      'notes is distributed and deliveries is plain',
    ],
    ['insert into notes (id) values (1)', 'notes has no constant account'],
    ['insert into notes (account_id) values (1), (2)', 'notes has no constant account'],
    ['update notes set id = 1 from tags where notes.account_id = 1', 'tags has no constant account'],
    ['select 1 from notes where account_id = 1 union select 1 from tags', 'tags has no constant account'],
  ])('is refused: %s', (text, reason) => {
    expect(fault(text)).toBe(reason)
  })

  test('of all accounts is refused if it locks rows or names a plain table', () => {
    const ofAll = (text: string) => misplaced({ text, values: [] }, { isOfAll: true })
    expect(ofAll('delete from visits where at < 1')).toBeUndefined()
    expect(ofAll('select * from notes for key share')).toBe('notes has no constant account')
    expect(ofAll('delete from notes using accounts')).toBe('notes is distributed and accounts is plain')
  })

  test('of one account is not', () => {
    const both = 'notes.account_id = $1 and tags.account_id = $2'
    expect(fault(`select * from notes, tags where ${both}`, [1, 2])).toMatch(/different accounts$/)
    expect(fault(`select * from notes, tags where ${both}`, [1, 1])).toBeUndefined()
    const rows = 'insert into notes (id, account_id) select id, account_id from'
    const given = `${rows} unnest($1::bigint[], $2::bigint[]) as given (id, account_id)`
    expect(
      fault(given, [
        [7, 8],
        [1, 2],
      ]),
    ).toBe('notes has no constant account')
    expect(
      fault(given, [
        [7, 8],
        [1, 1],
      ]),
    ).toBeUndefined()
    expect(fault('with notes as (select 1) select * from notes, accounts')).toBeUndefined()
    expect(fault('select * from channels, accounts, notes')).toMatch(/accounts is plain$/)
    expect(fault('select * from channels, notes where notes.account_id = 1')).toBeUndefined()
  })
})

onPostgres('With Citus', () => {
  test('the tables are placed, keys that stay are kept, and a second call has nothing to do', async () => {
    const place = await withCitus(await migratedDatabase())
    const inUse = open(place)
    await sql`select 1`.execute(inUse)
    expect((await run(place)).stderr).toBe(
      'The database is in use (other connections: 1). Stop the servers of Patchbay, so that no change is missed.\n',
    )
    expect(await placed(inUse)).toEqual({})
    await inUse.destroy()

    const { code, stdout } = await run(place, '--shards', '4')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^channels, channel_connections: distributed\n[\s\S]*^pipelines, statuses: distributed\n[\s\S]*\nThe database is distributed\. Start all servers of Patchbay\.\n$/m,
      ),
    ])
    expect((await run(place)).stdout).toBe('The database is distributed already.\n')
    const db = open(place)
    expect(await placed(db)).toEqual(expected)
    expect(await refusedKeys(db)).toEqual([])
    const { rows } = await sql<{
      text: string
    }>`select conrelid::regclass || ' ' || confrelid::regclass as text
      from pg_constraint join pg_dist_partition on logicalrelid = conrelid where contype = 'f' order by 1`.execute(
      db,
    )
    expect(rows.map(({ text }) => text)).toEqual(['channel_connections channels', 'statuses pipelines'])
    expect((await commandLine(['partition'], env(place))).stderr).toMatch(/^The database is distributed/)
    const replicated = { ...env(place), READ_URL: place.database_url }
    expect((await commandLine(['migrate'], replicated)).stderr).toMatch(/^READ_URL is set, but the database/)
  })

  test('an empty database gets its tables', async () => {
    const place = await withCitus(await emptyDatabase())
    expect((await run(place)).code).toBe(0)
    expect(await placed(open(place))).toEqual(expected)
  })

  test('a database with partitions is refused, and nothing is placed', async () => {
    const place = await withCitus(await migratedDatabase())
    const db = open(place)
    await partitionTable(db, 'notes', 2)
    await db.destroy()
    expect((await run(place)).stderr).toMatch(/^Tables have partitions: notes\. Restore a backup/)
    expect(await placed(open(place))).toEqual({})
  })

  test('an interrupted run is continued, and the server does not start before that', async () => {
    const place = await withCitus(await migratedDatabase())
    const db = open(place)
    await sql`alter table notes add constraint early unique (id)`.execute(db)
    await db.destroy()
    expect((await run(place)).stderr).toContain('notes has a unique index without account_id')
    const later = open(place)
    await expect(migrate(later, 1)).rejects.toThrow(
      /^Tables of the database are not distributed yet: .*notes.* Run "patchbay distribute" again\.$/,
    )
    await sql`alter table notes drop constraint early`.execute(later)
    await later.destroy()
    expect((await run(place)).stdout).not.toMatch(/^channels/)
    expect(await placed(open(place))).toEqual(expected)
  })

  test('a migration places its new tables, sizes are of all servers, and transactions that write are known', async () => {
    const place = await withCitus(await migratedDatabase())
    await run(place)
    const db = open(place)
    await sql`delete from pg_dist_partition where logicalrelid = 'call_notices'::regclass`.execute(db)
    await sql`drop table call_notices`.execute(db)
    const later: Migration = {
      name: '999-later',
      counted: [],
      statements: [
        'create table call_notices (account_id bigint not null references accounts (id), id bigint, primary key (account_id, id))',
        'create table of_nobody (id bigint primary key)',
      ],
    }
    expect(await migrate(db, 1, [...migrations, later])).toEqual(['999-later'])
    expect(await placed(db)).toEqual(expected)
    expect(await refusedKeys(db)).toEqual([])

    const { tables, bytes } = await measureDatabase(db)
    expect(tables.find(({ name }) => name === 'notes')?.bytes).toBe(1_000_000_000)
    expect(bytes).toBeGreaterThan(placedTables.length * 1_000_000_000)

    // A transaction that writes has a number, by which live streams wait for it. A reader has none.
    expect(isDistributed(db)).toBe(true)
    const number = sql<{ xid: string | null }>`select pg_current_xact_id_if_assigned()::text as xid`
    const ofTransaction = async (isReader: boolean) => {
      const begun = isReader ? db.transaction().setAccessMode('read only') : db.transaction()
      return begun.execute(async (tx) => (await number.execute(tx)).rows[0]?.xid)
    }
    expect(await ofTransaction(true)).toBe(null)
    expect(await ofTransaction(false)).toMatch(/^\d+$/)
    const ages = await db.transaction().execute(() => oldestTransaction(db))
    expect(ages).toBeGreaterThanOrEqual(0)
  })
})

test('A duplicate key of another server is a unique violation', () => {
  const message = 'duplicate key value violates unique constraint "tags_102009"'
  expect(isUniqueViolation(Object.assign(new Error(message), { code: 'XX000' }))).toBe(true)
  expect(isUniqueViolation(Object.assign(new Error('cache lookup failed'), { code: 'XX000' }))).toBe(false)
})

interface Explained {
  'QUERY PLAN': string
}

/** Only with real Citus: what its planner makes of the statements that the other tests parse. */
test.runIf(isDistributedRun())(
  'Each statement of a request is one task of one server',
  { timeout: 600_000 },
  async () => {
    const here = await world()
    const statements = recordStatements()
    await walkRequests(here)
    const client = new pg.Client({ connectionString: here.ctx.config.database_url })
    await client.connect()
    onTestFinished(() => client.end())
    const refused: string[] = []
    for (const { text, values } of statements()) {
      const { rows } = await client.query<Explained>(`explain ${text}`, [...values])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
      if (plan.includes('Distributed Subplan') || tasks.some((count) => count > 1)) refused.push(text)
    }
    expect(refused).toEqual([])
  },
)
