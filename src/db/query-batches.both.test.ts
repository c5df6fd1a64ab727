import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { recordStatements } from '../../test/databases/sent-statements.ts'
import { world } from '../../test/world.ts'
import type { Db, Tx } from './database.ts'
import { isOneOf, isPostgres, nextIds } from './dialect.ts'
import { batched, referenceData } from './prepared.ts'
import { readingTogether } from './query-batches.ts'
import type { TransactionExecutor } from './transactions.ts'
import { Unit } from './units.ts'

const query = <P extends object, R>(build: (params: P) => ReturnType<typeof sql<R>>) =>
  batched((db: Db, params: P) => ({ compile: () => build(params).compile(db) }))

/** Values that JSON could change, in an order that is not the natural one. */
const values = query<object, Record<string, unknown>>(
  () => sql`select 9007199254740991 as large, cast(0.1 as double precision) as fraction, 'a "b" \\ é' as text, null as absent
    union all select -1, 2.5, '', null order by large desc`,
)
const sum = query<{ a: number; b: number }, { sum: number }>(
  ({ a, b }) => sql`select cast(${a} as bigint) + cast(${b} as bigint) as sum`,
)
const none = query<object, { id: number }>(() => sql`select 1 as id where 1 = 0`)

const within = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  (await world()).ctx.db.transaction().execute(work)

describe('Queries that a transaction starts together', () => {
  test('have the results that they have alone', () =>
    within(async (tx) => {
      const alone = [await values(tx, {}), await sum(tx, { a: 1, b: 2 }), await none(tx, {})]
      const together = await Promise.all([values(tx, {}), sum(tx, { a: 1, b: 2 }), none(tx, {})])
      expect(together).toEqual(alone)
      expect(together).toEqual([
        [
          { large: 9007199254740991, fraction: 0.1, text: 'a "b" \\ é', absent: null },
          { large: -1, fraction: 2.5, text: '', absent: null },
        ],
        [{ sum: 3 }],
        [],
      ])
    }))

  test('keep their own parameters', () =>
    within(async (tx) => {
      const sums = Array.from({ length: 12 }, (_, i) => sum(tx, { a: i, b: 100 * i }))
      expect((await Promise.all(sums)).flat()).toEqual(sums.map((_, i) => ({ sum: 101 * i })))
    }))

  test('are one statement on PostgreSQL', () =>
    within(async (tx) => {
      const run = vi.spyOn(tx.getExecutor() as TransactionExecutor, 'run')
      await Promise.all([sum(tx, { a: 1, b: 1 }), none(tx, {}), nextIds(tx, 'entities', 2)])
      expect(run).toHaveBeenCalledTimes(isPostgres(tx) ? 1 : 3)
    }))

  test('take different ids', () =>
    within(async (tx) => {
      const [first, second, notes] = await Promise.all([
        nextIds(tx, 'entities', 2),
        nextIds(tx, 'entities', 2),
        nextIds(tx, 'notes', 1),
      ])
      expect(new Set([...first, ...second]).size).toBe(4)
      expect(notes).toHaveLength(1)
    }))

  test('all fail if one fails', async () => {
    const failing = query<object, object>(() => sql`select * from missing`)
    await within(async (tx) => {
      const results = await Promise.allSettled([sum(tx, { a: 1, b: 1 }), failing(tx, {})])
      expect(results[1].status).toBe('rejected')
      if (isPostgres(tx)) expect(results[0].status).toBe('rejected')
      throw new Error('rolled back')
    }).catch((error) => expect(error.message).toBe('rolled back'))
  })

  test('Transactions do not share statements', async () => {
    const { ctx } = await world()
    const both = await Promise.all(
      [1, 2].map((n) => ctx.db.transaction().execute((tx) => sum(tx, { a: n, b: 0 }))),
    )
    expect(both).toEqual([[{ sum: 1 }], [{ sum: 2 }]])
  })
})

describe('Queries that are started together outside of a transaction', () => {
  const accounts = batched((db: Db, { ids }: { ids: readonly number[] }) =>
    db
      .selectFrom('accounts')
      .select(['id', 'subdomain'])
      .where((eb) => isOneOf(db, eb.ref('id'), ids)),
  )
  const kept = referenceData((db: Db, { id }: { id: number }) =>
    db.selectFrom('accounts').select('subdomain').where('id', '=', id),
  )

  test('are one statement with a common handle, which sends a list once', async () => {
    const { ctx, account } = await world()
    const ids = [account.id]
    const alone = await Promise.all([accounts(ctx.db, { ids }), sum(ctx.db, { a: 1, b: 2 })])
    const sent = recordStatements()
    const db = readingTogether(ctx.db, 50)
    const results = await Promise.all([accounts(db, { ids }), accounts(db, { ids }), sum(db, { a: 1, b: 2 })])
    expect(results).toEqual([alone[0], ...alone])
    if (!isPostgres(db)) return
    expect(sent().map(({ values }) => values)).toEqual([[ids, 1, 2]])
  })

  test('can have empty lists of different types', async () => {
    const { ctx } = await world()
    const none: never[] = []
    const named = batched((db: Db, { names }: { names: readonly string[] }) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where((eb) => isOneOf(db, eb.ref('subdomain'), names)),
    )
    const db = readingTogether(ctx.db, 50)
    expect(await Promise.all([accounts(db, { ids: none }), named(db, { names: none })])).toEqual([[], []])
  })

  test('are sent alone for a large page', async () => {
    const { ctx } = await world()
    expect(readingTogether(ctx.db, 51)).toBe(ctx.db)
  })

  test('do not include kept results', async () => {
    const { ctx, account } = await world()
    const first = await kept(ctx.db, { id: account.id })
    const again = await kept(readingTogether(ctx.db, 50), { id: account.id })
    expect(again).toBe(first)
  })

  test('can be mixed with queries that are built for one request', async () => {
    const { ctx, account } = await world()
    const db = readingTogether(ctx.db, 50)
    const rows = await db.selectFrom('accounts').select('subdomain').execute()
    expect(rows).toEqual([{ subdomain: account.subdomain }])
  })

  test('see the open unit of work', async () => {
    const { ctx, account } = await world()
    const unit = new Unit(async () => {})
    await unit.run(async () => {
      await ctx.db.transaction().execute((tx) => tx.updateTable('accounts').set({ name: 'New' }).execute())
      const db = readingTogether(ctx.db, 50)
      const names = batched((db: Db) => db.selectFrom('accounts').select('name'))
      expect(await Promise.all([names(db, {}), sum(db, { a: 1, b: 1 })])).toEqual([
        [{ name: 'New' }],
        [{ sum: 2 }],
      ])
      await unit.rollback()
    })
    expect(account.name).not.toBe('New')
  })
})
