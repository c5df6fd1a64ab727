import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/databases/databases.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

interface Index {
  tbl: string
  idx: string
}

async function migrated() {
  const db = openDatabase(await emptyDatabase(), { onCommitFailure: () => {} })
  onTestFinished(() => db.destroy())
  await migrate(db, 1_700_000_000)
  const statistics = async () => (await sql<Index>`select * from sqlite_stat1 order by idx`.execute(db)).rows
  return { db, statistics }
}

test.runIf(process.env.TEST_DATABASE === 'sqlite')(
  'Each index of a table with statistics has some: the planner would take the others for small',
  async () => {
    const { db, statistics } = await migrated()
    const written = await statistics()
    const { rows: indexes } = await sql<Index>`
      select tbl_name as tbl, name as idx from sqlite_schema where type = 'index'`.execute(db)
    const tables = new Set(written.map(({ tbl }) => tbl))
    const expected = indexes.filter(({ tbl }) => tables.has(tbl)).map(({ idx }) => idx)
    // The primary key of a table without row ids has its name.
    const found = written.filter(({ tbl, idx }) => tbl !== idx).map(({ idx }) => idx)
    expect(found.sort()).toEqual(expected.sort())
  },
)

test.runIf(process.env.TEST_DATABASE === 'sqlite')(
  'A start replaces the statistics of another version',
  async () => {
    const { db, statistics } = await migrated()
    const written = await statistics()
    await db.transaction().execute(async (tx) => {
      await sql`update sqlite_stat1 set stat = '1 1 1' where tbl = 'tasks'`.execute(tx)
      await sql`delete from sqlite_stat1 where tbl = 'events'`.execute(tx)
    })
    expect(await migrate(db, 1_700_000_001)).toEqual([])
    expect(await statistics()).toEqual(written)
  },
)
