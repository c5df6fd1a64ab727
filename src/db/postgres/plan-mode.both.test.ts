import { type Compilable, sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { world } from '../../../test/world.ts'
import type { Db, Tx } from '../database.ts'
import { isOneOf } from '../dialect.ts'
import { prepared, preparedName } from '../prepared.ts'
import { ConnectionPlans } from './plan-mode.ts'
import { openPostgres } from './postgres.ts'

/** SQLite has no choice: it plans a statement when it prepares it. */
const onPostgres = test.runIf(process.env.TEST_DATABASE === 'postgres')

afterEach(() => {
  vi.restoreAllMocks()
})

describe('The plans of a connection', () => {
  const once = ['set plan_cache_mode = force_generic_plan', 'set enable_seqscan = off']
  const eachRun = ['set plan_cache_mode = auto', 'set enable_seqscan = on']

  test('are chosen again only when the next statement needs another mode', () => {
    const plans = new ConnectionPlans()
    expect(plans.commandsFor('each_run')).toEqual([])
    expect(plans.commandsFor('once')).toEqual(once)
    expect(plans.commandsFor('once')).toEqual([])
    expect(plans.commandsFor('each_run')).toEqual(eachRun)
    plans.forgetMode()
    expect(plans.commandsFor('each_run')).toEqual(eachRun)
  })

  test('are made again every ten seconds', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    const plans = new ConnectionPlans()
    plans.commandsFor('once')
    now.mockReturnValue(11_000)
    expect(plans.commandsFor('once')).toEqual([])
    now.mockReturnValue(11_001)
    expect(plans.commandsFor('each_run')).toEqual(eachRun)
    expect(plans.commandsFor('once')).toEqual(['discard plans', ...once])
    expect(plans.commandsFor('once')).toEqual([])
  })
})

describe('PostgreSQL', () => {
  onPostgres('compiles no plan, regardless of the options in its address', async () => {
    const { ctx } = await world()
    const { database_url } = ctx.config
    const parameter = `options=${encodeURIComponent('-c work_mem=3MB -c jit=on')}`
    const other = openPostgres(`${database_url}${database_url.includes('?') ? '&' : '?'}${parameter}`)
    onTestFinished(() => other.destroy())
    const settings = async (db: Db) => {
      const query = sql<{ jit: string; work_mem: string }>`select current_setting('jit') as jit,
        current_setting('work_mem') as work_mem`
      return (await query.execute(db)).rows[0]
    }
    expect(await settings(ctx.db)).toMatchObject({ jit: 'off' })
    expect(await settings(other)).toEqual({ jit: 'off', work_mem: '3MB' })
  })

  /** A look-up that its own choice plans at each run. */
  const look = (db: Db, p: { names: string[] }): Compilable<{ value: string }> =>
    db
      .selectFrom('settings')
      .select('value')
      .where(isOneOf(db, sql.ref('name'), p.names))

  /** How often the statement was planned for its values, and once for all, on the connection of the transaction. */
  async function plansOf(tx: Tx, query: typeof look): Promise<unknown> {
    const name = preparedName(query(tx, { names: [] }).compile().sql)
    const { rows } = await sql`select custom_plans, generic_plans from pg_prepared_statements
      where name = ${name}`.execute(tx)
    return rows
  }

  /** The settings with which a statement with values that is not prepared is planned. */
  async function modeOf(db: Db): Promise<unknown> {
    const { rows } = await sql<{ mode: string }>`
      select current_setting('plan_cache_mode') || ', ' || current_setting('enable_seqscan') as mode
      where ${1}::int = 1`.execute(db)
    return rows[0]?.mode
  }

  onPostgres('plans prepared statements once, and others at each run', async () => {
    const { ctx } = await world()
    const find = prepared(look)
    await ctx.db.transaction().execute(async (tx) => {
      for (let i = 0; i < 8; i++) {
        await find(tx, { names: ['a', 'b'] })
        expect(await modeOf(tx)).toBe('auto, on')
      }
      expect(await plansOf(tx, look)).toEqual([{ custom_plans: 0, generic_plans: 8 }])
    })
  })

  onPostgres('does so after a rollback and after an error', async () => {
    const { ctx } = await world()
    const find = prepared(look)
    const fail = sql`select 1 / ${0}::int`
    for (let i = 0; i < 4; i++) {
      await expect(
        ctx.db.transaction().execute(async (tx) => {
          await find(tx, { names: ['a'] })
          await (i % 2 === 0 ? fail.execute(tx) : Promise.reject(new Error('division by zero')))
        }),
      ).rejects.toThrow('division by zero')
      await expect(fail.execute(ctx.db)).rejects.toThrow('division by zero')
      expect(await modeOf(ctx.db)).toBe('auto, on')
    }
    await ctx.db.transaction().execute(async (tx) => {
      await find(tx, { names: ['a'] })
      expect(await plansOf(tx, look)).toMatchObject([{ custom_plans: 0 }])
    })
  })

  onPostgres('plans the query of a stream for its values', async () => {
    const { ctx } = await world()
    await prepared(look)(ctx.db, { names: ['a'] })
    const query = ctx.db
      .selectFrom('accounts')
      .select(sql<string>`current_setting('plan_cache_mode')`.as('mode'))
      .where('id', '>', 0)
    const modes: string[] = []
    for await (const { mode } of query.stream(1)) modes.push(mode)
    expect(modes).toEqual(['auto'])
  })
})
