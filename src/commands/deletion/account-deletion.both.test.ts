import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, isDistributedRun, kindOfRun } from '../../../test/databases/databases.ts'
import { misplaced } from '../../../test/databases/placed-statements.ts'
import { recordStatements } from '../../../test/databases/sent-statements.ts'
import { channelOf, connected } from '../../../test/fixtures/chats.ts'
import { textOf } from '../../../test/fixtures/conversations.ts'
import { queue } from '../../../test/fixtures/deliveries.ts'
import { upload } from '../../../test/fixtures/files.ts'
import { connect, consent, register } from '../../../test/fixtures/integrations.ts'
import { add } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { createAccount } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { columnTypes } from '../../db/columns.ts'
import type { Db } from '../../db/database.ts'
import { partitionedTables, partitionTable } from '../../db/distribution/partitions.ts'
import { type Tables, tables } from '../../db/tables.ts'
import { deleteRange, tenantTables } from '../../db/tenant-rows.ts'
import { prepareDemo } from '../demo/demo.ts'
import { closeContext, openContext } from '../open.ts'
import { deleteAccount, forecastDeletion } from './account-deletion.ts'

/** All rows of a table as texts, in an order. */
async function rowsOf(db: Db, table: keyof Tables): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Tables of the server, and those whose rows belong to rows of other tables. */
const WITHOUT_ACCOUNT = tables.filter((table) => !columnTypes(table).has('account_id'))

/** Gives an account a copy of all rows of another one whose keys begin with the account. */
async function copyAccount(db: Db, from: number, to: number): Promise<void> {
  const copied = (await tenantTables(db)).filter(({ name }) => !GLOBAL_KEYS.has(name))
  await db.transaction().execute(async (tx) => {
    for (const table of copied) await deleteRange(tx, table, to)
    for (const { name } of copied.toReversed()) {
      const columns = [...columnTypes(name).keys()].filter((column) => column !== 'account_id')
      const names = sql.join(columns.map((column) => sql.ref(column)))
      await sql`insert into ${sql.table(name)} (account_id, ${names})
        select cast(${to} as bigint), ${names} from ${sql.table(name)} where account_id = ${from}`.execute(tx)
    }
  })
}

/** Their keys are unique in the whole server. */
const GLOBAL_KEYS = new Set<keyof Tables>([
  ...(['sessions', 'password_links', 'authorization_codes', 'integrations', 'grants', 'channels'] as const),
  ...(['deliveries', 'delivery_bodies', 'webhook_announcements', 'short_links', 'surveys'] as const),
  'token_faults',
])

/** A server with the demo account and a copy of it, which uses its integrations. */
async function withTwin(): Promise<{ ctx: Context; id: number; twin: number; folder: string }> {
  const { database_url, data_dir } = await emptyDatabase()
  const env = { DATA_DIR: data_dir, DATABASE_URL: database_url, LOG_LEVEL: 'silent', METRICS_LISTEN: 'off' }
  const ctx = await openContext({ mode: 'dev', env, create: true })
  onTestFinished(() => closeContext(ctx))
  await prepareDemo(ctx)
  const { id } = await ctx.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const { id: twin } = await ctx.db
    .transaction()
    .execute((tx) => createAccount(ctx, tx, { name: 'Twin', subdomain: 'twin' }))
  await copyAccount(ctx.db, id, twin)
  return { ctx, id, twin, folder: data_dir }
}

const deleteNow = (ctx: Context, account_id: number, more: object = {}) =>
  deleteAccount(ctx, { account_id, heir_id: null, patience: 0, ...more })

/** The tables in which an account has rows. */
const tablesWith = async (ctx: Context, account_id: number): Promise<string[]> =>
  (await forecastDeletion(ctx, account_id)).tables.map(({ name }) => name)

describe('The deletion of an account', () => {
  test('takes all of its rows and files, and nothing of another account', async () => {
    const { ctx, id, twin, folder } = await withTwin()
    const others = async () => {
      const kept: Record<string, unknown[]> = {}
      for (const { name } of await tenantTables(ctx.db))
        kept[name] = (await rowsOf(ctx.db, name)).filter(({ account_id }) => Number(account_id) === twin)
      return kept
    }
    const before = await others()
    const { shared } = await forecastDeletion(ctx, id)
    expect(shared.length).toBeGreaterThan(0)
    expect(existsSync(join(folder, 'files', String(id)))).toBe(true)
    const moved = await rowsOf(ctx.db, 'channels')

    const { rows, people } = await deleteNow(ctx, id, { heir_id: twin })

    expect(rows).toBeGreaterThan(10_000)
    // All of its people are in the other account, too.
    expect(people).toBe(0)
    expect(await tablesWith(ctx, id)).toEqual([])
    const { integrations, channels, ...after } = await others()
    const { integrations: _, channels: __, ...unchanged } = before
    expect(after).toEqual(unchanged)
    expect(integrations?.map((row) => Object(row).id)).toEqual(
      shared.flatMap(({ kind, id }) => (kind === 'integration' ? id : [])).sort(),
    )
    expect(channels?.length).toBe(moved.length)
    expect(existsSync(join(folder, 'files', String(id)))).toBe(false)
    expect(await rowsOf(ctx.db, 'token_pairs')).toEqual([])
    expect(await ctx.db.selectFrom('accounts').select('id').execute()).toEqual([{ id: twin }])

    // Without the last account, only what belongs to the server is left.
    expect((await deleteNow(ctx, twin)).people).toBeGreaterThan(1)
    const left = []
    for (const table of WITHOUT_ACCOUNT) if ((await rowsOf(ctx.db, table)).length > 0) left.push(table)
    expect(left).toEqual(['settings'])
  })

  test.runIf(kindOfRun() === 'postgres' && !isDistributedRun())('empties partitions', async () => {
    const { ctx, account, admin } = await world({ ownDatabase: true })
    for (const table of partitionedTables) await partitionTable(ctx.db, table, 2)
    await add(admin.browser, 'leads', { name: 'Lead' })
    await deleteNow(ctx, account.id)
    expect(await ctx.db.selectFrom('entities').select('id').execute()).toEqual([])
  })

  test.runIf(kindOfRun() === 'postgres')('sends no statement that Citus takes apart', async () => {
    const all = await world({ ownDatabase: true })
    await connected(all, { integration_id: (await register(all.admin)).client_id })
    const sent = recordStatements()
    await forecastDeletion(all.ctx, all.account.id)
    const asked = sent().length
    await deleteNow(all.ctx, all.account.id)
    expect(sent().length).toBeGreaterThan(asked + tables.length)
    const ofTables = sent().filter(({ text }) => !text.includes('pg_c'))
    expect(
      ofTables.flatMap((one) => misplaced(one, { isOfAll: /^select distinct/.test(one.text.trim()) }) ?? []),
    ).toEqual([])
  })

  test('ends sessions, tokens and pushes, and its subdomain can be used again', async () => {
    const all = await world()
    const { ctx, admin, account, stranger } = all
    const other = await all.addPerson({
      name: 'Olga',
      is_admin: true,
      account: await all.addAccount('other'),
    })
    const shop = await register(admin)
    const { access_token } = await connect(stranger, shop)
    expect((await stranger.as({ token: access_token }).get('/api/v4/account')).status).toBe(200)
    const chat = await connected(all)
    expect((await chat.push(textOf(all, 'ann'))).status).toBe(200)
    await upload(admin.browser, 'x')

    const { people } = await deleteNow(ctx, account.id)

    expect(people).toBe(1)
    expect((await stranger.as({ token: access_token }).get('/api/v4/account')).status).toBe(401)
    expect((await chat.push(textOf(all, 'ann'))).status).toBe(404)
    expect((await admin.browser.get('/web/v4/account')).status).toBe(401)
    expect((await other.browser.get('/web/v4/account')).status).toBe(200)
    const again = await all.addAccount(account.subdomain)
    expect(again.id).toBeGreaterThan(account.id)
  })

  test('continues after an interruption', async () => {
    const { ctx, account } = await world()
    const interrupted = new Error('interrupted')
    const report = () => {
      throw interrupted
    }
    await expect(deleteNow(ctx, account.id, { report })).rejects.toBe(interrupted)
    expect(await tablesWith(ctx, account.id)).toContain('pipelines')
    await deleteNow(ctx, account.id)
    expect(await tablesWith(ctx, account.id)).toEqual([])
    expect(await ctx.db.selectFrom('accounts').select('id').execute()).toEqual([])
  })

  test('is done once by two commands, of which the later one says so', async () => {
    const { ctx, account } = await world()
    const both = await Promise.allSettled([deleteNow(ctx, account.id), deleteNow(ctx, account.id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const reason = both.find((one) => one.status === 'rejected')?.reason
    expect(reason).toMatchObject({
      name: 'ConfigError',
      message: 'Another command has deleted the account meanwhile.',
    })
    expect(await ctx.db.selectFrom('accounts').select('id').execute()).toEqual([])
  })

  test('deletes rows with keys of the whole server in windows', async () => {
    const here = await world()
    const { ctx, account } = here
    const other = await here.addAccount('other')
    await fillQueue(here, account.id, 600)
    await fillQueue(here, other.id, 3)
    await fillQueue(here, account.id, 1)
    const windows: number[] = []
    await deleteNow(ctx, account.id, { report: (rows: number) => windows.push(rows) })
    expect(windows.length).toBeGreaterThan(tables.length)
    expect((await ctx.db.selectFrom('deliveries').select('account_id').execute()).length).toBe(3)
  })

  test('needs another developer account for integrations that others use', async () => {
    const all = await world()
    const shop = await register(all.admin, { access: 'public' })
    await channelOf(all, { integration_id: shop.client_id })
    const other = await all.addPerson({
      name: 'Olga',
      is_admin: true,
      account: await all.addAccount('other'),
    })
    await consent(other, shop)
    const { shared } = await forecastDeletion(all.ctx, all.account.id)
    expect(shared).toEqual([
      { kind: 'integration', id: shop.client_id, name: expect.any(String), accounts: 1 },
    ])
    await expect(deleteNow(all.ctx, all.account.id)).rejects.toThrow('--integrations-to')
    expect((await all.admin.browser.get('/web/v4/account')).status).toBe(200)
  })
})

const fillQueue = (here: World, account_id: number, count: number) =>
  queue(
    here,
    Array.from({ length: count }, () => ({ url: 'https://shop.example', account_id })),
  )
