import { describe, expect, test } from 'vitest'
import { type World, world } from '../test/world.ts'
import { createAccount } from './accounts/accounts.ts'
import { seedAccounts } from './seed-defaults.ts'

/** The defaults of an account, by name. */
async function defaultsOf({ ctx }: Pick<World, 'ctx'>, account_id: number) {
  const named = (table: 'pipelines' | 'loss_reasons' | 'customer_statuses' | 'custom_fields') =>
    ctx.db
      .selectFrom(table)
      .select('name')
      .where('account_id', '=', account_id)
      .orderBy('sort')
      .orderBy('id')
      .execute()
  const stages = await ctx.db
    .selectFrom('statuses')
    .select('name')
    .where('account_id', '=', account_id)
    .orderBy('sort')
    .execute()
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
  return {
    pipelines: names(await named('pipelines')),
    stages: names(stages),
    reasons: names(await named('loss_reasons')),
    customers: names(await named('customer_statuses')),
    fields: names(await named('custom_fields')),
  }
}

describe('A new account', () => {
  test.each([
    ['en', 'Sales', 'Incoming leads', 'Initial contact', 'Closed - lost', 'Too expensive', 'Recently bought'],
    [
      'es',
      'Ventas',
      'Leads entrantes',
      'Contacto inicial',
      'Venta perdida',
      'Demasiado caro',
      'Compró hace poco',
    ],
    [
      'ru',
      'Воронка',
      'Неразобранное',
      'Первичный контакт',
      'Закрыто и не реализовано',
      'Слишком дорого',
      'Недавно купили',
    ],
    [
      'pt',
      'Vendas',
      'Leads de entrada',
      'Contato inicial',
      'Fechado - perdido',
      'Caro demais',
      'Comprou recentemente',
    ],
  ])(
    'has its defaults in its own language: %s',
    async (language, pipeline, unsorted, first, lost, reason, customer) => {
      const here = await world()
      const draft = { name: 'New', subdomain: 'new', language }
      const { id } = await here.ctx.db.transaction().execute((tx) => createAccount(here.ctx, tx, draft))
      const { pipelines, stages, reasons, customers, fields } = await defaultsOf(here, id)
      expect(pipelines).toEqual([pipeline])
      expect([stages.length, stages[0], stages[1], stages.at(-1)]).toEqual([7, unsorted, first, lost])
      expect([reasons.length, reasons[1]]).toEqual([4, reason])
      expect([customers.length, customers[0]]).toEqual([3, customer])
      expect(fields.length).toBeGreaterThan(0)
      // Every language has the same number of defaults.
      const english = await defaultsOf(here, here.account.id)
      expect([reasons, customers, fields].map(({ length }) => length)).toEqual(
        [english.reasons, english.customers, english.fields].map(({ length }) => length),
      )
    },
  )

  test('gets no defaults if it is refused', async () => {
    const here = await world()
    const rows = async () => (await here.ctx.db.selectFrom('statuses').selectAll().execute()).length
    const before = await rows()
    await expect(here.addAccount('demo')).rejects.toMatchObject({ reason: 'invalid' })
    expect(await rows()).toBe(before)
  })
})

describe('An account of an older version', () => {
  test('gets its defaults once, even if several processes start concurrently', async () => {
    const here = await world()
    const { ctx, account } = here
    const other = await here.addAccount('other')
    const before = [await defaultsOf(here, account.id), await defaultsOf(here, other.id)]
    const kept = await ctx.db.selectFrom('pipelines').selectAll().where('account_id', '=', other.id).execute()
    await ctx.db.transaction().execute(async (tx) => {
      for (const table of [
        'statuses',
        'pipelines',
        'loss_reasons',
        'customer_statuses',
        'custom_fields',
        'custom_field_groups',
      ] as const)
        await tx.deleteFrom(table).where('account_id', '=', account.id).execute()
    })
    await Promise.all([seedAccounts(ctx), seedAccounts(ctx)])
    await seedAccounts(ctx)
    expect([await defaultsOf(here, account.id), await defaultsOf(here, other.id)]).toEqual(before)
    expect(
      await ctx.db.selectFrom('pipelines').selectAll().where('account_id', '=', other.id).execute(),
    ).toEqual(kept)
  })
})
