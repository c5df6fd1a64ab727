import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { world } from '../../test/world.ts'
import { readInBackground } from './background-reads.ts'

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'long queries of one account leave connections to short ones, and turns to other accounts',
  async () => {
    const { ctx, account } = await world()
    const { db } = ctx
    const ended: string[] = []
    const long = (account_id: number, name: string) =>
      readInBackground(db, account_id, { compile: () => sql`select pg_sleep(0.5)`.compile(db) }).then(() =>
        ended.push(name),
      )
    const all = Array.from({ length: 16 }, () => long(account.id, 'many'))
    const one = long(account.id + 1, 'one')
    await sql`select 1`.execute(db)
    ended.push('short')
    await Promise.all([one, ...all])
    expect(ended.indexOf('short')).toBe(0)
    expect(ended.indexOf('one')).toBeLessThan(9)
  },
)
