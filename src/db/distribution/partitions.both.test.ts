import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { addCitus, refusedKeys } from '../../../test/databases/citus-stand-in.ts'
import { isDistributedRun, kindOfRun } from '../../../test/databases/databases.ts'
import { olderDatabase } from '../../../test/databases/older-database.ts'
import { misplaced } from '../../../test/databases/placed-statements.ts'
import { recordStatements, type Sent } from '../../../test/databases/sent-statements.ts'
import { commandLine } from '../../../test/programs/command-line.ts'
import { walkRequests } from '../../../test/walk.ts'
import { world } from '../../../test/world.ts'
import type { Db } from '../database.ts'
import { buildIndex, missingIndexes } from '../indexes/online-indexes.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { DEFAULT_SHARDS, placeTables } from './citus.ts'
import { partitionedTables, partitionsOf, partitionTable } from './partitions.ts'

const isPostgres = kindOfRun() === 'postgres'
const onPostgres = test.runIf(isPostgres && !isDistributedRun())

async function partitionAll(db: Db): Promise<void> {
  for (const table of partitionedTables) await partitionTable(db, table, 4)
}

/** Tables by which a request finds its caller and account. */
const OF_CALLERS = ['channel_connections', 'groups', 'installations', 'members', 'roles']

/** The other tables that could have partitions: the account is in each key, and no other table refers to them. */
async function otherTablesOfAccounts(db: Db): Promise<(keyof Tables)[]> {
  const { rows } = await sql<{ name: keyof Tables }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id')
      and not exists (select from pg_constraint where confrelid = pg_class.oid)
      and not exists (select from pg_index where indrelid = pg_class.oid and indisunique
        and pg_get_indexdef(indexrelid) not like '%account_id%')
    order by relname`.execute(db)
  const done: readonly string[] = [...partitionedTables, ...OF_CALLERS]
  return rows.map(({ name }) => name).filter((name) => !done.includes(name))
}

/** The definitions of all indexes and constraints of the partitioned tables. */
async function definitionsIn(db: Db): Promise<string[]> {
  const names = sql.join(partitionedTables.map((table) => sql.lit(table)))
  const { rows } = await sql<{ text: string }>`
    select replace(indexdef, ' ON ONLY ', ' ON ') as text from pg_indexes
      where schemaname = 'public' and tablename in (${names})
    union all select conname || ' ' || pg_get_constraintdef(pg_constraint.oid) from pg_constraint
      join pg_class on pg_class.oid = conrelid where relname in (${names}) and contype <> 'n'
    order by text`.execute(db)
  return rows.map(({ text }) => text)
}

interface PlanNode {
  'Relation Name'?: string
  Plans?: PlanNode[]
}

const relationsIn = (node: PlanNode): string[] => [
  ...(node['Relation Name'] === undefined ? [] : [node['Relation Name']]),
  ...(node.Plans ?? []).flatMap(relationsIn),
]

/** The tables of which a statement reads or writes several partitions. */
async function tablesReadWhole(client: pg.Client, { text, values }: Sent): Promise<string[]> {
  const { rows } = await client.query(`explain (format json) ${text}`, [...values])
  const partitions = new Set(relationsIn(rows[0]['QUERY PLAN'][0].Plan).filter((name) => /_p\d+$/.test(name)))
  const tables = [...partitions].map((name) => name.replace(/_p\d+$/, ''))
  return tables.filter((table, i) => tables.indexOf(table) !== i)
}

/** Workers look for what is due in all accounts, except some that they name. */
const isClaim = ({ text }: Sent): boolean => /and not "account_id" = any\(\$\d\) order by "due_at"/.test(text)

onPostgres(
  'with partitions and on several servers, requests are answered as before, and a statement reads one of each',
  { timeout: 300_000 },
  async () => {
    const here = await world()
    const { app, ctx } = here
    const before = await definitionsIn(ctx.db)
    const more = await otherTablesOfAccounts(ctx.db)
    expect(more.length).toBeGreaterThan(20)
    for (const table of [...partitionedTables, ...more]) await partitionTable(ctx.db, table, 4)
    expect(await definitionsIn(ctx.db)).toEqual(before)
    await addCitus(ctx.db)
    await placeTables(ctx.db, DEFAULT_SHARDS, () => {})
    expect(await refusedKeys(ctx.db)).toEqual([])

    const statements = recordStatements()
    await walkRequests(here)
    const all = statements()
    expect(all.length).toBeGreaterThan(400)

    const client = new pg.Client({ connectionString: ctx.config.database_url })
    await client.connect()
    onTestFinished(() => client.end())
    const whole: string[] = []
    const distinct = new Map(all.filter((sent) => !isClaim(sent)).map((sent) => [sent.text, sent]))
    for (const sent of distinct.values()) {
      const tables = await tablesReadWhole(client, sent)
      if (tables.length > 0) whole.push(`${tables.join()}: ${sent.text}`)
    }
    expect(whole).toEqual([])
    expect(faultsOf(all)).toEqual([])

    // Chores look at all accounts.
    for (const chore of app.chores) await chore.run()
    expect(faultsOf(statements(), { isOfAll: true })).toEqual([])
  },
)

const faultsOf = (all: readonly Sent[], options?: { isOfAll: boolean }): string[] =>
  all.flatMap((sent) => {
    const fault = misplaced(sent, options)
    return fault ? [`${fault}: ${sent.text}`] : []
  })

onPostgres('the indexes of an upgrade are built on each partition', async () => {
  const { db, place } = await olderDatabase('040-growth-indexes')
  await partitionAll(db)
  await migrate(db, 2)
  for (const index of await missingIndexes(db)) expect(await buildIndex(db, place, index)).toBe(true)
  expect(await missingIndexes(db)).toEqual([])
  const fresh = await olderDatabase('040-growth-indexes')
  await migrate(fresh.db, 2)
  for (const index of await missingIndexes(fresh.db)) await buildIndex(fresh.db, fresh.place, index)
  expect(await definitionsIn(db)).toEqual(await definitionsIn(fresh.db))
  expect(await partitionsOf(db, 'events')).toEqual(['events_p0', 'events_p1', 'events_p2', 'events_p3'])
})

test.skipIf(isDistributedRun())('the command refuses other databases and numbers', async () => {
  const { ctx } = await world()
  const env = { DATA_DIR: ctx.config.data_dir, DATABASE_URL: ctx.config.database_url }
  const run = (...words: string[]) =>
    commandLine(['partition', ...words], { ...env, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') })
  for (const parts of ['x', '1', '2000'])
    expect((await run('--parts', parts)).stderr).toBe(`--parts is not a number from 2 to 1024: ${parts}\n`)
  const { code, stdout, stderr } = await run('--parts', '2')
  if (!isPostgres)
    expect([code, stderr]).toEqual([
      1,
      'Only PostgreSQL has partitions. Set DATABASE_URL to the database of your server.\n',
    ])
  else {
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^entities: \d+ rows in 2 partitions\n/)])
    expect((await run()).stdout).toMatch(/^entities is partitioned already\n/)
  }
})

onPostgres('two commands at once split each table once', async () => {
  const { ctx } = await world({ ownDatabase: true })
  const results = await Promise.all([2, 4].map((parts) => partitionTable(ctx.db, 'events', parts)))
  expect(results.filter((rows) => rows === null)).toHaveLength(1)
  expect(await partitionsOf(ctx.db, 'events')).toHaveLength(results[0] === null ? 4 : 2)
})
