import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, kindOfRun } from '../../../test/databases/databases.ts'
import { indexesOf } from '../../../test/databases/indexes.ts'
import { olderDatabase } from '../../../test/databases/older-database.ts'
import { lineTo } from '../../../test/programs/cut-line.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/migrations.ts'
import { buildIndexes } from './index-upkeep.ts'
import { missingIndexes } from './online-indexes.ts'

const isPostgres = kindOfRun() === 'postgres'
const log = pino({ level: 'silent' })

const FIRST = '031-creator-index'
const later = migrations.slice(migrations.findIndex(({ name }) => name === FIRST))
const statements = later.flatMap(({ indexes = [] }) => indexes)

async function upgraded() {
  const { db, place } = await olderDatabase(FIRST)
  await migrate(db, 2)
  const build = async () => {
    const left: number[] = []
    const config = place as Parameters<typeof buildIndexes>[0]['config']
    const isComplete = await buildIndexes({ db, config, log, monotonic: () => 0 }, (count) =>
      left.push(count),
    )
    return { isComplete, left }
  }
  return { db, place, build }
}

test('an upgrade leaves indexes out, which are built afterwards as in a new database', async () => {
  const { db, build } = await upgraded()
  expect((await missingIndexes(db)).map(({ statement }) => statement)).toEqual(statements)
  const counts = statements.map((_, i) => i).reverse()
  expect(await build()).toEqual({ isComplete: true, left: [statements.length, ...counts] })
  expect(await build()).toEqual({ isComplete: true, left: [0] })
  const fresh = openDatabase(await emptyDatabase(), { onCommitFailure: () => {} })
  onTestFinished(() => fresh.destroy())
  await migrate(fresh, 1)
  expect(await missingIndexes(fresh)).toEqual([])
  expect(await indexesOf(db)).toEqual(await indexesOf(fresh))
})

test.runIf(isPostgres)('an interrupted build is repeated, and one program builds at a time', async () => {
  const { db, place, build } = await upgraded()
  const other = new pg.Client({ connectionString: place.database_url })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('select pg_advisory_lock(7265616464)')
  expect(await build()).toEqual({ isComplete: false, left: [statements.length] })
  await other.query('select pg_advisory_unlock(7265616464)')
  await build()
  await sql`update pg_index set indisvalid = false where indexrelid = 'events_by_creator'::regclass`.execute(
    db,
  )
  expect((await missingIndexes(db)).map(({ name }) => name)).toEqual(['events_by_creator'])
  expect((await build()).left).toEqual([1, 0])
})

test.runIf(isPostgres)('a build whose connection is lost fails, and is repeated', async () => {
  const { db, place, build } = await upgraded()
  const line = await lineTo(place.database_url)
  const other = new pg.Client({ connectionString: place.database_url })
  await other.connect()
  onTestFinished(() => other.end())
  // A build waits for transactions that have written to the table.
  await other.query('begin; lock table events, entities in row exclusive mode')
  const config = { ...place, database_url: line.url } as Parameters<typeof buildIndexes>[0]['config']
  const building = buildIndexes({ db, config, log, monotonic: () => 0 }, () => {})
  const waiting = () =>
    sql`select from pg_stat_activity where datname = current_database()
      and query like 'create index concurrently%' and wait_event_type = 'Lock'`.execute(db)
  await expect.poll(async () => (await waiting()).rows.length).toBe(1)
  line.breakOff()
  await expect(building).rejects.toThrow()
  await other.query('rollback')
  await expect.poll(async () => (await build()).isComplete).toBe(true)
})

test('the release before an upgrade starts on its schema if the upgrade only adds to it', async () => {
  const { db } = await upgraded()
  const apply = (name: string, isAdditive: boolean) =>
    db.transaction().execute(async (tx) => {
      await tx.insertInto('migrations').values({ name, applied_at: 3 }).execute()
      if (isAdditive) await tx.insertInto('additive_migrations').values({ name }).execute()
    })
  await apply('998-more-columns', true)
  expect(await migrate(db, 4)).toEqual([])
  await apply('999-other-columns', false)
  await expect(migrate(db, 4)).rejects.toThrow('The database is newer than this version: 999-other-columns')
})
