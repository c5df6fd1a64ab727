import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { kindOfRun } from '../../test/databases/databases.ts'
import { world } from '../../test/world.ts'
import { openVault } from '../vault.ts'
import { openDatabase, type Tx } from './database.ts'
import { continueIds, forUpdate, forUpdateSkipLocked, mergedRanges, nextId, nextIds } from './dialect.ts'
import { isUniqueViolation } from './failures.ts'
import { adoptMasterKey, followMasterKey } from './master-key.ts'
import { batched, prepared, preparedName } from './prepared.ts'
import { insertRows, updateRows, writeTogether } from './row-sets.ts'
import { readSetting, writeSetting } from './settings.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'
/** Only PostgreSQL has more than one writer. */
const onPostgres = test.runIf(isPostgres)

/** A handle with its own pool: a different process to the database. */
async function twoHandles() {
  const { ctx, account } = await world()
  const other = openDatabase(ctx.config, { onCommitFailure: () => {} })
  onTestFinished(() => other.destroy())
  return { ctx, db: ctx.db, other, account }
}

describe('Merged ranges', () => {
  test('are the first rows of one or of several in their order', async () => {
    const { ctx, account, addAccount } = await world()
    const other = await addAccount('other')
    const of = (id: number) => sql`select id from accounts where id = ${id}`
    const merged = async (...ids: number[]) => {
      const page = mergedRanges(ctx.db, ids.map(of), sql`id desc`, { limit: 2, offset: ids.length - 1 })
      const { rows } = await sql<{ id: number }>`${page}`.execute(ctx.db)
      return rows.map(({ id }) => id)
    }
    expect(await merged(account.id)).toEqual([account.id])
    expect(await merged(account.id, other.id)).toEqual([account.id])
  })
})

describe('Prepared statements', () => {
  test('return the same as the unprepared query, for every value', async () => {
    const { ctx, account, addAccount } = await world()
    const other = await addAccount('other')
    const build = (db: typeof ctx.db, p: { name: string; from: number }) =>
      db
        .selectFrom('accounts')
        .select(['id', 'subdomain'])
        .where('subdomain', 'like', p.name)
        .where('id', '>=', p.from)
        .where('language', '=', 'en')
        .orderBy('id')
    const find = prepared(build)
    for (const values of [
      { name: '%', from: 0 },
      { name: 'demo', from: 0 },
      { name: '%', from: other.id },
      { name: 'none', from: 0 },
      { name: "'; --", from: -1 },
    ])
      expect(await find(ctx.db, values)).toEqual(await build(ctx.db, values).execute())
    expect((await find(ctx.db, { name: 'demo', from: 0 })).map(({ id }) => id)).toEqual([account.id])
  })

  test('accept a repeated value, null, and text that looks like SQL', async () => {
    const { ctx } = await world()
    await ctx.db.transaction().execute((tx) => writeSetting(tx, 'x', 'y'))
    const echo = prepared((db, p: { text: string | null }) =>
      db
        .selectFrom('settings')
        .select((eb) => [eb.cast(eb.val(p.text), 'text').as('a'), eb.cast(eb.val(p.text), 'text').as('b')])
        .limit(1),
    )
    for (const text of ['', "' or 1=1 --", '$1', '?', 'żółć 😀', null])
      expect(await echo(ctx.db, { text })).toEqual([{ a: text, b: text }])
  })

  test('find binary values', async () => {
    const { ctx } = await world()
    const [hash, session_hash] = [randomBytes(32), randomBytes(300)]
    const form = {
      hash,
      session_hash,
      integration_id: 'x',
      state: null,
      mode: null,
      code_challenge: null,
      permissions: null,
      expires_at: 1,
    }
    await ctx.db.transaction().execute((tx) => tx.insertInto('consent_forms').values(form).execute())
    const find = prepared((db, p: { hash: Buffer }) =>
      db.selectFrom('consent_forms').selectAll().where('hash', '=', p.hash),
    )
    expect(await find(ctx.db, { hash })).toEqual([form])
    expect(await find(ctx.db, { hash: randomBytes(32) })).toEqual([])
  })

  test('can run concurrently, within transactions and without, with the values of each', async () => {
    const { ctx } = await world()
    const one = prepared((db, p: { name: string }) =>
      db.selectFrom('settings').selectAll().where('name', '=', p.name),
    )
    await ctx.db.transaction().execute(async (tx) => {
      for (let i = 0; i < 50; i++) await writeSetting(tx, `n${i}`, `v${i}`)
      expect(await one(tx, { name: 'n7' })).toEqual([{ name: 'n7', value: 'v7' }])
      expect(await one(ctx.db, { name: 'n7' })).toEqual([])
    })
    const found = await Promise.all(Array.from({ length: 50 }, (_, i) => one(ctx.db, { name: `n${i}` })))
    expect(found).toEqual(Array.from({ length: 50 }, (_, i) => [{ name: `n${i}`, value: `v${i}` }]))
  })

  test('are built once per kind of database, for every handle', async () => {
    const { db, other } = await twoHandles()
    let built = 0
    const find = prepared((handle, p: { name: string }) => {
      built++
      return handle.selectFrom('settings').select('value').where('name', '=', p.name)
    })
    for (const handle of [db, other, db]) await find(handle, { name: 'none' })
    await db.transaction().execute((tx) => find(tx, { name: 'none' }))
    expect(built).toBe(1)
  })

  onPostgres('are stored under their names by PostgreSQL', async () => {
    const { ctx } = await world()
    const find = prepared((db, p: { name: string }) =>
      db
        .selectFrom('settings')
        .select(['value', sql<number>`42`.as('n')])
        .where('name', '=', p.name),
    )
    await ctx.db.transaction().execute(async (tx) => {
      for (let i = 0; i < 3; i++) await find(tx, { name: `n${i}` })
      const text = 'select "value", 42 as "n" from "settings" where "name" = $1'
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where name = ${preparedName(text)}`.execute(tx)
      expect(rows).toEqual([{ statement: text }])
    })
  })
})

describe('Combined row sets', () => {
  test('are written completely or not at all, for any tables and number of rows', async () => {
    const { ctx, account } = await world()
    const role = (id: number) => ({ account_id: account.id, id, name: `role ${id}`, rights: '{}' })
    const write = (ids: number[]) =>
      ctx.db.transaction().execute((tx) =>
        writeTogether(tx, async () => {
          await insertRows(tx, 'settings', [{ name: `of ${ids}`, value: '$1' }])
          await insertRows(tx, 'roles', ids.map(role))
          await insertRows(tx, 'roles', [])
          await updateRows(tx, 'accounts', ['id'], [{ id: account.id, name: `of ${ids}` }])
        }),
      )
    const written = async () => [
      await readSetting(ctx.db, 'of 71,72'),
      await readSetting(ctx.db, 'of 73,72'),
      (await ctx.db.selectFrom('roles').selectAll().where('id', '>', 70).orderBy('id').execute()).length,
      (await ctx.db.selectFrom('accounts').select('name').executeTakeFirstOrThrow()).name,
    ]
    await write([71, 72])
    expect(await written()).toEqual(['$1', undefined, 2, 'of 71,72'])
    const error = await write([73, 72]).catch((thrown: unknown) => thrown)
    expect(isUniqueViolation(error)).toBe(true)
    expect(await written()).toEqual(['$1', undefined, 2, 'of 71,72'])
    await ctx.db.transaction().execute((tx) => writeTogether(tx, async () => {}))
  })

  test('keep every text', async () => {
    const { ctx } = await world()
    const texts = [
      '',
      'NULL',
      'null',
      '{}',
      'a,b',
      ' a ',
      'a"b',
      'a\\b',
      '\\"',
      '"\\',
      "'",
      'a\n\t',
      '\u00e9 \u{1f600}',
      '$1',
      '\\x00',
    ]
    const rows = texts.map((value, i) => ({ name: `text ${String(i).padStart(2, '0')}`, value }))
    await ctx.db.transaction().execute((tx) => insertRows(tx, 'settings', rows))
    const found = ctx.db.selectFrom('settings').selectAll().where('name', 'like', 'text %').orderBy('name')
    expect(await found.execute()).toEqual(rows)
  })

  test('have queries beside them, which fail with them and see what was there before', async () => {
    const { ctx, account } = await world()
    const value = batched((db, at: { name: string }) =>
      db.selectFrom('settings').select('value').where('name', '=', at.name),
    )
    const role = (id: number) => ({ account_id: account.id, id, name: `role ${id}`, rights: '{}' })
    const write = (...ids: number[]) =>
      ctx.db.transaction().execute((tx) =>
        writeTogether(
          tx,
          () => insertRows(tx, 'roles', ids.map(role)),
          async () => {
            const found = await Promise.all([value(tx, { name: 'a $1' }), value(tx, { name: 'none' })])
            return [...found, await value(tx, { name: 'b' })]
          },
        ),
      )
    await ctx.db.transaction().execute((tx) =>
      insertRows(tx, 'settings', [
        { name: 'a $1', value: '1' },
        { name: 'b', value: '2' },
      ]),
    )
    const found = [[{ value: '1' }], [], [{ value: '2' }]]
    expect([await write(71, 72), await write(73), await write()]).toEqual([found, found, found])
    expect(isUniqueViolation(await write(74, 72).catch((thrown: unknown) => thrown))).toBe(true)
    const roles = await ctx.db.selectFrom('roles').select('id').where('id', '>', 70).orderBy('id').execute()
    expect(roles.map(({ id }) => id)).toEqual([71, 72, 73])
  })
})

test.runIf(kindOfRun() === 'postgres')(
  'Combined row sets are several statements if they have many rows or long texts',
  async () => {
    const { ctx, account } = await world()
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => spy.mockRestore())
    const statements = async (count: number, length: number) => {
      spy.mockClear()
      const roles = Array.from({ length: count }, (_, i) => ({
        ...{ account_id: account.id, id: 1_000 + i, rights: '{}' },
        name: 'x'.repeat(length),
      }))
      await ctx.db.transaction().execute((tx) =>
        writeTogether(tx, async () => {
          await insertRows(tx, 'settings', [{ name: `${count} ${length}`, value: '1' }])
          await insertRows(tx, 'roles', roles)
        }),
      )
      const { rows } = await sql<{ count: number }>`select count(*) from roles where id >= 1000`.execute(
        ctx.db,
      )
      expect(Number(rows[0]?.count)).toBe(count)
      await sql`delete from roles where id >= 1000`.execute(ctx.db)
      return spy.mock.calls.filter(([asked]: unknown[]) => JSON.stringify(asked).includes('insert into'))
        .length
    }
    expect([await statements(10, 10), await statements(4_500, 10), await statements(4, 900_000)]).toEqual([
      1, 4, 4,
    ])
  },
)

describe('Ids', () => {
  test('are assigned in ascending order, and never twice, also concurrently', async () => {
    const { db, other } = await twoHandles()
    const handles = isPostgres ? [db, other] : [db]
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (handles[i % handles.length] as typeof db)
          .transaction()
          .execute((tx) => nextIds(tx, 'sources', (i % 7) + 1)),
      ),
    )
    for (const ids of taken) expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    const all = taken.flat()
    expect(all.length).toBe(Array.from({ length: 60 }, (_, i) => (i % 7) + 1).reduce((a, b) => a + b))
    expect(new Set(all).size).toBe(all.length)
    expect(all.every((id) => typeof id === 'number')).toBe(true)
    const next = await db.transaction().execute((tx) => nextId(tx, 'sources'))
    expect(next).toBeGreaterThan(Math.max(...all))
  })

  test('start at 1 and are consecutive in each table', async () => {
    const { ctx } = await world()
    const take = (table: 'sources' | 'audiences', count: number) =>
      ctx.db.transaction().execute((tx) => nextIds(tx, table, count))
    expect([await take('sources', 3), await take('sources', 1), await take('audiences', 2)]).toEqual([
      [1, 2, 3],
      [4],
      [1, 2],
    ])
  })

  test('continue after the largest inserted id, and start at 1 in an empty table', async () => {
    const { ctx, account } = await world()
    const next = await ctx.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('roles')
        .values({ account_id: account.id, id: 41, name: 'x', rights: '{}' })
        .execute()
      await continueIds(tx, 'roles')
      await continueIds(tx, 'deliveries')
      return [await nextId(tx, 'roles'), await nextId(tx, 'deliveries')]
    })
    expect(next).toEqual([42, 1])
  })
})

describe('Locks', () => {
  const held = (tx: Tx, lock = forUpdate) =>
    tx.selectFrom('settings').select('name').where('name', '=', 'x').modifyEnd(lock(tx)).execute()

  onPostgres('a lock on a locked row waits; a queue skips the row', async () => {
    const { db, other } = await twoHandles()
    await db.transaction().execute((tx) => writeSetting(tx, 'x', '0'))
    const { promise: end, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
    const first = db.transaction().execute(async (tx) => {
      await held(tx)
      isLocked()
      await end
      await writeSetting(tx, 'x', '1')
    })
    await locked
    expect(await other.transaction().execute((tx) => held(tx, forUpdateSkipLocked))).toEqual([])
    const second = other.transaction().execute(async (tx) => {
      await held(tx)
      return readSetting(tx, 'x')
    })
    const early = await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))])
    expect(early).toBe('waits')
    letGo()
    await first
    expect(await second).toBe('1')
  })

  onPostgres('a lock fails after two seconds of waiting', async () => {
    const { db, other } = await twoHandles()
    await db.transaction().execute((tx) => writeSetting(tx, 'x', '0'))
    await db.transaction().execute(async (tx) => {
      await held(tx)
      await expect(other.transaction().execute((second) => held(second))).rejects.toThrow('lock timeout')
      expect((await sql`show lock_timeout`.execute(other)).rows).toEqual([{ lock_timeout: '2s' }])
    })
  })

  test('locking queries are valid on SQLite', async () => {
    const { ctx } = await world()
    await ctx.db.transaction().execute(async (tx) => {
      await writeSetting(tx, 'x', '0')
      expect([await held(tx), await held(tx, forUpdateSkipLocked)]).toEqual([
        [{ name: 'x' }],
        [{ name: 'x' }],
      ])
    })
  })
})

describe('A row with the same key', () => {
  test.each([
    ['primary key', { id: 1, uuid: 'a', email: 'a' }],
    ['unique column', { id: 2, uuid: 'b', email: 'same' }],
  ])('%s is distinguished from all other errors', async (_what, change) => {
    const { ctx } = await world()
    const user = (values: object) => ({
      id: 1_000,
      uuid: 'u',
      amojo_id: JSON.stringify(values),
      email: 'e',
      name: 'n',
      lang: 'en',
      phone_number: null,
      password_hash: 'h',
      created_at: 0,
      updated_at: 0,
      ...values,
    })
    const put = (values: object) =>
      ctx.db.transaction().execute((tx) => tx.insertInto('users').values(user(values)).execute())
    if (change.email === 'same') await put({ email: 'same', uuid: 'c', id: 3_000 })
    const error = await put(change).catch((thrown: unknown) => thrown)
    expect(isUniqueViolation(error)).toBe(true)
  })

  test('is not reported for a missing parent, a missing value or a refusal', async () => {
    const { ctx, account } = await world()
    const failures = await Promise.all(
      [
        ctx.db
          .transaction()
          .execute((tx) =>
            tx.insertInto('roles').values({ account_id: -1, id: 1, name: 'x', rights: '' }).execute(),
          ),
        ctx.db.transaction().execute((tx) =>
          tx
            .insertInto('roles')
            .values({ account_id: account.id, id: 1, name: null as never, rights: '' })
            .execute(),
        ),
        Promise.reject(new Error('23505')),
        Promise.reject(undefined),
      ].map((failing) =>
        failing.then(
          () => 'no failure',
          (error: unknown) => isUniqueViolation(error),
        ),
      ),
    )
    expect(failures).toEqual([false, false, false, false])
  })
})

describe('Server settings', () => {
  test('are written, read and replaced', async () => {
    const { ctx } = await world()
    const write = (value: string) => ctx.db.transaction().execute((tx) => writeSetting(tx, 'x', value))
    expect(await readSetting(ctx.db, 'x')).toBeUndefined()
    await write('1')
    await write('2')
    expect(await readSetting(ctx.db, 'x')).toBe('2')
  })

  test('the first used master key is recorded, and others are rejected', async () => {
    const { ctx } = await world()
    expect(await followMasterKey(ctx.db, ctx.vault)).toBeNull()
    await ctx.db.transaction().execute((tx) => adoptMasterKey(tx, ctx.vault))
    expect(await followMasterKey(ctx.db, ctx.vault)).toBe(true)
    expect(await followMasterKey(ctx.db, openVault({ present: randomBytes(32), previous: null }))).toBe(false)
  })
})
