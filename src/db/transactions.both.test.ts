import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { world } from '../../test/world.ts'
import type { Db, Tx } from './database.ts'
import { noteDeletedIds } from './dialect.ts'
import { preparedWrite } from './prepared.ts'
import { replaceRows } from './row-sets.ts'
import { inSavepoint } from './savepoints.ts'
import { readSetting } from './settings.ts'
import { Unit } from './units.ts'

/** A row of the table of counters, which exists on both databases for these tests only. */
const create = sql`create table if not exists steps (n integer primary key, name text not null)`
const add = (tx: Tx, n: number) => sql`insert into steps values (${n}, 'added')`.execute(tx)
/** The same, as a statement whose result nobody reads. */
const addLater = preparedWrite((db, { n }: { n: number }) => ({
  compile: () => sql`insert into steps values (${n}, 'added')`.compile(db),
}))
const messageOf = (error: Error) => error.message
const isPostgres = process.env.TEST_DATABASE === 'postgres'
const count = async (tx: Tx) =>
  Number((await sql<{ count: number }>`select count(*) as count from steps`.execute(tx)).rows[0]?.count)

async function withSteps(work: (db: Db) => Promise<void>) {
  const w = await world()
  await w.ctx.db.transaction().execute((tx) => create.execute(tx))
  try {
    await work(w.ctx.db)
  } finally {
    await w.ctx.db.transaction().execute((tx) => sql`drop table steps`.execute(tx))
  }
}

describe('A transaction', () => {
  test('runs statements in the order of their start', () =>
    withSteps(async (db) => {
      const counts = await db.transaction().execute(async (tx) => {
        const started = [1, 2, 3].flatMap((n) => [add(tx, n), count(tx)])
        return (await Promise.all(started)).filter((result) => typeof result === 'number')
      })
      expect(counts).toEqual([1, 2, 3])
    }))

  test('is rolled back if it throws, and returns the error', () =>
    withSteps(async (db) => {
      const failed = db.transaction().execute(async (tx) => {
        await add(tx, 1)
        throw new Error('refused')
      })
      await expect(failed).rejects.toThrow('refused')
      expect(await db.transaction().execute(count)).toBe(0)
    }))

  test('is rolled back if a statement fails, and later statements of it have no effect', () =>
    withSteps(async (db) => {
      const failed = db.transaction().execute(async (tx) => {
        await add(tx, 1)
        await Promise.all([add(tx, 1), add(tx, 2)])
      })
      await expect(failed).rejects.toThrow(/unique/i)
      expect(await db.transaction().execute(count)).toBe(0)
    }))

  test('is rolled back if a part of it throws while statements of the others run and wait', () =>
    withSteps(async (db) => {
      let parts: Promise<unknown> | undefined
      const failed = db.transaction().execute(async (tx) => {
        parts = Promise.allSettled([add(tx, 1), add(tx, 2), add(tx, 3)])
        throw new Error('refused')
      })
      await expect(failed).rejects.toThrow('refused')
      await parts
      expect(await db.transaction().execute(count)).toBe(0)
    }))

  test('refuses statements after its end', () =>
    withSteps(async (db) => {
      let kept: Tx | undefined
      await db.transaction().execute(async (tx) => {
        kept = tx
        await add(tx, 1)
      })
      await expect(add(kept as Tx, 2)).rejects.toThrow('the transaction has ended')
      const row = { account_id: 1, n: 1 } as never
      await expect(replaceRows(kept as Tx, 'accounts', ['id'], [row])).rejects.toThrow(
        'the transaction has ended',
      )
      expect(await db.transaction().execute(count)).toBe(1)
    }))

  test('reads one snapshot if it is opened for that', () =>
    withSteps(async (db) => {
      const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
      const counts = await snapshot.execute(async (tx) => {
        const before = await count(tx)
        await db.transaction().execute((other) => add(other, 1))
        return [before, await count(tx)]
      })
      expect(counts).toEqual([0, 0])
      const refused = snapshot.execute((tx) => add(tx, 2))
      await expect(refused).rejects.toThrow(/read-?only/i)
    }))
})

describe('The transactions of a unit of work', () => {
  test('belong to it, also if several start at once', () =>
    withSteps(async (db) => {
      const unit = new Unit(async () => {})
      const parts = [1, 2, 3].map(
        (n) => () =>
          db.transaction().execute(async (tx) => {
            await add(tx, n)
            if (n === 2) throw new Error('refused')
          }),
      )
      const results = await unit.run(() => Promise.allSettled(parts.map((run) => run())))
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      await unit.rollback()
      expect(await db.transaction().execute(count)).toBe(0)
    }))

  test('are rolled back alone if their last statement fails with their end', () =>
    withSteps(async (db) => {
      const unit = new Unit(async () => {})
      const rounds = await unit.run(async () => {
        const addTwice = () =>
          db.transaction().execute(async (tx) => {
            await add(tx, 1)
            await addLater(tx, { n: 1 })
          })
        // The first time, the statement is not prepared yet.
        const failed = [await addTwice().catch(messageOf), await addTwice().catch(messageOf)]
        await db.transaction().execute((tx) => addLater(tx, { n: 2 }))
        return failed
      })
      await unit.commit()
      expect(rounds).toEqual([expect.stringMatching(/unique/i), expect.stringMatching(/unique/i)])
      expect(await db.transaction().execute(count)).toBe(1)
    }))
})

describe('A write whose result nobody reads', () => {
  /** Prepares the statement on the only connection that is used. */
  const prepare = (db: Db) => db.transaction().execute((tx) => addLater(tx, { n: 0 }))

  test('is seen by the next statement, and committed', () =>
    withSteps(async (db) => {
      await prepare(db)
      const seen = await db.transaction().execute(async (tx) => {
        await addLater(tx, { n: 1 })
        const seen = await count(tx)
        await addLater(tx, { n: 2 })
        await addLater(tx, { n: 3 })
        return seen
      })
      expect([seen, await db.transaction().execute(count)]).toEqual([2, 4])
    }))

  test('fails the transaction if it fails, with its error', () =>
    withSteps(async (db) => {
      await prepare(db)
      const failed = db.transaction().execute(async (tx) => {
        await addLater(tx, { n: 1 })
        await addLater(tx, { n: 0 })
      })
      await expect(failed).rejects.toThrow(/unique/i)
      const seen = db.transaction().execute(async (tx) => {
        await addLater(tx, { n: 0 })
        return count(tx)
      })
      await expect(seen).rejects.toThrow(/unique/i)
      // The connection is as before.
      await db.transaction().execute((tx) => addLater(tx, { n: 2 }))
      expect(await db.transaction().execute(count)).toBe(2)
    }))

  test('is rolled back with the transaction, and with a savepoint', () =>
    withSteps(async (db) => {
      await prepare(db)
      const thrown = db.transaction().execute(async (tx) => {
        await addLater(tx, { n: 1 })
        throw new Error('refused')
      })
      await expect(thrown).rejects.toThrow('refused')
      await db.transaction().execute(async (tx) => {
        await addLater(tx, { n: 2 })
        const part = inSavepoint(tx, async () => {
          await addLater(tx, { n: 3 })
          throw new Error('refused')
        })
        await expect(part).rejects.toThrow('refused')
        await expect(inSavepoint(tx, () => addLater(tx, { n: 2 }))).rejects.toThrow(/unique/i)
      })
      expect(await db.transaction().execute(count)).toBe(2)
    }))
})

test.runIf(isPostgres)('A transaction sends what nobody waits for with its other statements', () =>
  withSteps(async (db) => {
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => spy.mockRestore())
    const roundTrips = async (work: (tx: Tx) => Promise<unknown>) => {
      spy.mockClear()
      await db.transaction().execute(work)
      return spy.mock.calls.length
    }
    const addAround = (n: number) => async (tx: Tx) => {
      await addLater(tx, { n })
      await count(tx)
      await addLater(tx, { n: n + 1 })
    }
    await roundTrips(addAround(1))
    expect(await roundTrips(addAround(3))).toBe(2)
    expect(await roundTrips((tx) => addLater(tx, { n: 5 }))).toBe(1)
    expect(await roundTrips(async () => {})).toBe(0)
  }),
)

test('The greatest id of deleted rows is noted, whichever transaction commits last', async () => {
  const { ctx } = await world()
  const noted = Promise.withResolvers<void>()
  const greater = ctx.db.transaction().execute(async (tx) => {
    await noteDeletedIds(tx, 'tags', [100])
    noted.resolve()
    // The other transaction has read the setting meanwhile, and waits for its row.
    await sleep(200)
  })
  await noted.promise
  const smaller = ctx.db.transaction().execute((tx) => noteDeletedIds(tx, 'tags', [50]))
  await Promise.all([greater, smaller])
  expect(await readSetting(ctx.db, 'last deleted id of tags')).toBe('100')
})
