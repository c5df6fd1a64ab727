import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { someoneWaits } from '../../test/databases/lock-waits.ts'
import { world } from '../../test/world.ts'
import { readInBackground } from './background-reads.ts'

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'long queries of one account leave connections to short ones, and turns to other accounts',
  async () => {
    const { ctx, account } = await world()
    const { db } = ctx
    const ended: string[] = []
    // They take as long as another transaction has their lock.
    const waiting = sql`
      with patient as materialized (select set_config('lock_timeout', '0', true))
      select pg_advisory_xact_lock_shared(1) from patient`.compile(db)
    const long = (account_id: number, name: string) =>
      readInBackground(db, account_id, { compile: () => waiting }).then(() => ended.push(name))
    const all: Promise<unknown>[] = []
    await db.transaction().execute(async (tx) => {
      await sql`select from pg_advisory_xact_lock(1)`.execute(tx)
      for (let i = 0; i < 16; i++) all.push(long(account.id, 'many'))
      all.push(long(account.id + 1, 'one'))
      await someoneWaits(ctx)
      await sql`select 1`.execute(db)
      expect(ended).toEqual([])
    })
    await Promise.all(all)
    expect(ended.indexOf('one')).toBeLessThan(9)
  },
)
