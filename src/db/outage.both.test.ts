import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { client } from '../../test/client.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { upload } from '../../test/fixtures/jobs.ts'
import { add } from '../../test/fixtures/records.ts'
import { lineTo } from '../../test/programs/cut-line.ts'
import { type World, world } from '../../test/world.ts'
import { buildApp } from '../app.ts'
import { openDatabase } from './database.ts'
import { failureOf } from './failures.ts'
import { pools } from './pools.ts'

const isPostgres = process.env.TEST_DATABASE === 'postgres'
/** Recovery is polled, because the machine can be busy. */
const PATIENCE = { timeout: 60_000, interval: 20 }
const docs = 'http://demo.localhost:8080/docs/errors'

/** A server whose connection to its database can be cut; its `world` has a separate one. */
async function server() {
  const all = await world({ ownServer: true })
  const line = await lineTo(all.ctx.config.database_url)
  const db = openDatabase({ database_url: line.url, data_dir: '' }, { onCommitFailure: () => {} })
  const ctx = { ...all.ctx, db }
  const app = await buildApp(ctx)
  onTestFinished(async () => {
    await line.restore()
    await app.deliveries.stop()
    await app.runner.stop()
    await app.automation.stop()
    await app.http.close()
    await db.destroy()
  })
  const browser = client(app.http, all.admin.browser.identity)
  const stranger = client(app.http, all.stranger.identity)
  const select = () => sql`select 1`.execute(db)
  return { ...all, world: all, ctx, app, db, line, browser, stranger, select }
}

const meaningOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => failureOf(error) ?? error,
  )

/** Active connections to the database of a world, including the one that counts them. */
const sessions = async ({ db }: World['ctx']) =>
  (
    await sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and state <> 'idle'`.execute(db)
  ).rows[0]?.n

describe.runIf(isPostgres)('An unreachable PostgreSQL', () => {
  test('makes every surface return 503 in its own format, with Retry-After', async () => {
    const { admin, stranger, browser, line } = await server()
    const keys = await register(admin)
    const { access_token } = await connect(stranger, keys)
    await line.cut()
    const token = stranger.as({ token: access_token })
    const detail = 'The database cannot be reached. Repeat the request later.'
    const problem = {
      title: 'Service Unavailable',
      type: `${docs}#database_unavailable`,
      status: 503,
      detail,
      retry_after: 2,
    }
    const exchange = { ...keys, grant_type: 'refresh_token', refresh_token: 'pbr_x' }
    const asked = {
      read: await token.get('/api/v4/leads'),
      written: await token.post('/api/v4/leads', [{}]),
      keyed: await token.post('/api/v4/leads', [{}], { 'idempotency-key': 'a' }),
      page: await browser.get('/web/v4/leads'),
      file: await token.get('/drive/v1.0/files'),
      session: await browser.get('/web/session'),
      consent: await stranger.get(`/oauth?client_id=${keys.client_id}`),
      legacy: await token.post('/private/api/v2/json/fields/set', { request: { fields: {} } }),
      tokens: await stranger.post('/oauth2/access_token', exchange),
      push: await stranger.post('/v2/origin/custom/1c8d3e9e-5e5e-4b5e-8b5e-1c8d3e9e5e5e/connect', '{}', {
        'x-signature': '0'.repeat(40),
        'content-type': 'application/json',
      }),
      visitor: await stranger.get('/s/abcdef'),
    }
    for (const [name, { status, headers }] of Object.entries(asked))
      expect([name, status, headers['retry-after']]).toEqual([name, 503, '2'])
    for (const name of ['read', 'written', 'keyed', 'page', 'file', 'session'] as const)
      expect([name, asked[name].body]).toEqual([name, problem])
    expect(asked.tokens.body).toMatchObject({ error: 'temporarily_unavailable', hint: detail, status: 503 })
    expect(asked.legacy.body.response).toMatchObject({ error: detail, error_code: 425 })
    expect(asked.push.body).toMatchObject({ status: 0, error_code: 503, error_type: 'DATABASE_UNAVAILABLE' })
    await line.restore()
    await vi.waitFor(async () => expect((await token.get('/api/v4/account')).status).toBe(200), PATIENCE)
  })

  test('connections that are cut fail only the work that used them, and are replaced', async () => {
    const {
      world: { ctx },
      db,
      line,
      select,
    } = await server()
    const isCut = Promise.withResolvers<void>()
    const busy = Array.from({ length: 5 }, () => sql`select pg_sleep(60)`.execute(db))
    const open = db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      await isCut.promise
      await sql`select 1`.execute(tx)
    })
    const streams = Array.from({ length: 3 }, async () => {
      const rows = sql<{ n: number }>`select n, pg_sleep(0.02) from generate_series(1, 3000) as n`.compile(db)
      for await (const _ of db.getExecutor().stream(rows, 1)) if (_.rows.length === 0) return
    })
    const all = Promise.all([...busy, open, ...streams].map(meaningOf))
    await vi.waitFor(async () => expect(await sessions(ctx)).toBe(9 + 1), PATIENCE)
    line.breakOff()
    isCut.resolve()
    expect(await all).toEqual(Array(9).fill('unavailable'))
    await vi.waitFor(
      async () => expect(await meaningOf(Promise.all(Array.from({ length: 20 }, select)))).toBe('done'),
      PATIENCE,
    )
  })

  test('a commit whose connection is cut has an unknown outcome', async () => {
    const { db, line } = await server()
    const work = db.transaction().execute(async (tx) => {
      // The commit waits for this check, which outlasts the connection.
      await sql`create temporary table slow (n int) on commit drop`.execute(tx)
      await sql`create function pg_temp.wait() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$`.execute(
        tx,
      )
      await sql`create constraint trigger wait after insert on slow deferrable initially deferred for each row execute function pg_temp.wait()`.execute(
        tx,
      )
      await sql`insert into slow values (1)`.execute(tx)
      setTimeout(() => line.breakOff(), 100)
    })
    expect(await meaningOf(work)).toBe('unknown')
  })

  test('lets an import keep its file if its commit has an unknown outcome', async () => {
    const { world: all, app, browser, line } = await server()
    const { db } = all.ctx
    // The commit waits for this check, which outlasts the connection.
    await sql`create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(3); return null; end $$`.execute(
      db,
    )
    await sql`create constraint trigger slow after insert on jobs deferrable initially deferred for each row execute function slowly()`.execute(
      db,
    )
    const sent = upload(browser, 'contacts', 'Name\nAnn')
    const committing = sql`select pid from pg_stat_activity where datname = current_database() and query = 'commit' and state = 'active'`
    await vi.waitFor(async () => expect((await committing.execute(db)).rows).toHaveLength(1), PATIENCE)
    line.breakOff()
    const answer = await sent
    expect([answer.status, answer.body.type]).toEqual([503, `${docs}#outcome_unknown`])
    const [job] = await vi.waitFor(async () => {
      const jobs = (await all.admin.browser.get('/web/v4/jobs')).body._embedded.jobs
      expect(jobs).toHaveLength(1)
      return jobs
    }, PATIENCE)
    expect((await all.admin.browser.post(`/web/v4/jobs/${job.id}/start`)).status).toBe(200)
    await app.runner.runDue()
    expect((await all.admin.browser.get(`/web/v4/jobs/${job.id}`)).body).toMatchObject({
      state: 'done',
      added: 1,
    })
  })

  test('is probed by one attempt at a time, and nobody waits for it', async () => {
    const { line, select } = await server()
    await select()
    line.silence()
    line.breakOff()
    const began = performance.now()
    // The first requests detect the outage. Later ones are refused immediately.
    const first = Promise.all(Array.from({ length: 30 }, () => meaningOf(select())))
    await first
    const found = performance.now() - began
    const later = performance.now()
    const refused = await Promise.all(Array.from({ length: 200 }, () => meaningOf(select())))
    expect(new Set([...(await first), ...refused])).toEqual(new Set(['unavailable']))
    // An attempt takes ten seconds.
    expect(performance.now() - later).toBeLessThan(5_000)
    expect(found).toBeLessThan(30_000)
    await line.restore()
    await vi.waitFor(async () => expect(await meaningOf(select())).toBe('done'), PATIENCE)
  })

  test('a connection without an answer is dropped', async () => {
    const { line, select } = await server()
    await Promise.all(Array.from({ length: 3 }, select))
    line.silence()
    const began = performance.now()
    expect(await meaningOf(select())).toBe('unavailable')
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  test('a database without an answer does not hold up the metrics', async () => {
    const { app, line, select } = await server()
    await select()
    line.silence()
    const began = performance.now()
    const { statusCode, body } = await app.operator.inject({ url: '/metrics' })
    expect([statusCode, body.match(/^patchbay_database_up .*$/m)?.[0]]).toEqual([
      200,
      'patchbay_database_up 0',
    ])
    expect(performance.now() - began).toBeLessThan(8_000)
  })

  test('work waits for a connection in use when the server takes no new ones', async () => {
    const { ctx } = await world({ ownServer: true })
    const role = `crowded_${randomUUID().replaceAll('-', '')}`
    await sql`create role ${sql.id(role)} login connection limit 2`.execute(ctx.db)
    const address = new URL(ctx.config.database_url)
    address.username = role
    const db = openDatabase({ database_url: address.href, data_dir: '' }, { onCommitFailure: () => {} })
    onTestFinished(async () => {
      await db.destroy()
      await sql`drop role ${sql.id(role)}`.execute(ctx.db)
    })
    const brief = () => sql`select pg_sleep(0.02)`.execute(db)
    await brief()
    const crowd = await Promise.all(Array.from({ length: 60 }, () => meaningOf(brief())))
    expect(new Set(crowd)).toEqual(new Set(['done']))
    await sql`alter role ${sql.id(role)} connection limit 20`.execute(ctx.db)
    await vi.waitFor(async () => {
      await Promise.all(Array.from({ length: 10 }, brief))
      expect(pools.get(db)?.().open).toBe(10)
    }, PATIENCE)
  })

  test('a live stream continues where it was', async () => {
    const all = await server()
    const base = await all.app.http.listen({ port: 0, host: '127.0.0.1' })
    const { cookie = '', host } = all.browser.identity
    const stop = new AbortController()
    const answer = await fetch(`${base}/web/v4/events`, {
      headers: { cookie, host, accept: 'text/event-stream' },
      signal: stop.signal,
    })
    let sent = ''
    const reading = (async () => {
      for await (const text of (answer.body as ReadableStream).pipeThrough(new TextDecoderStream()))
        sent += text
    })().catch(() => {})
    await vi.waitFor(() => expect(sent).toContain(': still here'), PATIENCE)
    await all.line.cut()
    await add(all.admin.browser, 'leads', { name: 'Roof' })
    await sleep(1_500)
    expect(sent).not.toContain('lead_added')
    await all.line.restore()
    await vi.waitFor(() => expect(sent).toContain('lead_added'), PATIENCE)
    stop.abort()
    await reading
  })
})
