import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { world } from '../../test/world.ts'
import { type App, buildApp } from '../app.ts'
import { freePort } from '../commands/ports.ts'
import { openDatabase } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import { enqueueDeliveries } from '../outbound/deliveries.ts'

/** Queries the operators' address. */
async function asked({ operator }: App, url: string) {
  const { statusCode: status, body: text, headers } = await operator.inject({ url })
  return { status, text, headers }
}

const ready = { status: 200, text: '{"status":"ready"}' }
const notReady = (status: string) => ({ status: 503, text: JSON.stringify({ status }) })

describe('Health checks', () => {
  test('report a live and ready server, under any host name', async () => {
    const { app, stranger } = await world()
    for (const host of ['demo.localhost:8080', '10.0.0.7:8080', 'patchbay.internal', '']) {
      const live = await stranger.as({ host }).get('/healthz')
      expect([live.status, live.body]).toEqual([200, { status: 'ok' }])
    }
    expect(await asked(app, '/healthz')).toMatchObject({ status: 200 })
    expect(await asked(app, '/readyz')).toMatchObject(ready)
    // The operators' routes are not public.
    for (const path of ['/readyz', '/metrics']) expect((await stranger.get(path)).status).toBe(404)
    // Everything else requires a known host name.
    for (const path of ['/', '/docs/errors', '/api/v4/account', '/web/session', '/nothing'])
      expect((await stranger.as({ host: '10.0.0.7:8080' }).get(path)).status).toBe(400)
  })

  test('report a live server that is not ready during shutdown, while it still answers', async () => {
    const { app, stranger } = await world()
    app.http.lifecycle.draining = true
    expect((await stranger.get('/healthz')).status).toBe(200)
    expect(await asked(app, '/readyz')).toMatchObject(notReady('draining'))
    expect((await stranger.get('/api/v4/account')).status).toBe(401)
  })

  test('report a live server that is not ready without its database, and no reason', async () => {
    const { ctx } = await world()
    const database_url = `postgres://patchbay:secret@127.0.0.1:${await freePort()}/gone`
    const db = openDatabase({ database_url, data_dir: '' }, { onCommitFailure: () => {} })
    onTestFinished(() => db.destroy())
    const app = await buildApp({ ...ctx, db })
    onTestFinished(() => app.http.close())
    const prober = client(app.http, { host: 'localhost' })
    expect((await prober.get('/healthz')).status).toBe(200)
    expect(await asked(app, '/readyz')).toMatchObject(notReady('no database'))
    // The figures of the database are absent, and the others remain.
    const { status, text } = await asked(app, '/metrics')
    expect([status, text.match(/^patchbay_(database_up|streams_open|deliveries_pending) .*$/gm)]).toEqual([
      200,
      ['patchbay_streams_open 0', 'patchbay_database_up 0'],
    ])
    const failed = await prober.as({ token: 'x' }).get('/api/v4/account')
    expect([failed.status, failed.body.title]).toEqual([503, 'Service Unavailable'])
    expect(failed.text).not.toMatch(/secret|ECONNREFUSED|gone/)
  })
})

describe('Metrics', () => {
  const counted = (text: string, route: string) =>
    [...text.matchAll(/^patchbay_http_request_seconds_count\{([^}]*)\} (\d+)$/gm)]
      .filter(([, labels]) => labels?.includes(`route="${route}"`))
      .map(([, labels, count]) => `${labels?.replace(`,route="${route}"`, '')} ${count}`)

  onEmbedded('count requests by route and status, never by address', async () => {
    const { app, stranger } = await world()
    for (let i = 0; i < 3; i++) await stranger.get(`/healthz?n=${i}`)
    await stranger.get('/api/v4/account')
    await stranger.get('/secret-path')
    const { text, headers } = await asked(app, '/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(counted(text, '/healthz')).toEqual(['method="GET",status="200" 3'])
    expect(counted(text, '/api/v4/account')).toEqual(['method="GET",status="401" 1'])
    expect(text).not.toContain('secret-path')
  })

  onEmbedded('include the latest request as soon as its answer is complete', async () => {
    const { app } = await world({ ownServer: true })
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.http.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => {
      socket.destroy()
    })
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    const { text } = await asked(app, '/metrics')
    expect(counted(text, '/healthz')).toEqual(['method="GET",status="200" 1'])
  })

  test('show queues: deliveries and the age of the oldest, jobs, streams, requests and database connections', async () => {
    const { app, ctx, clock, account, addAccount } = await world({ ownServer: true })
    const figures = async () => {
      const { text } = await asked(app, '/metrics')
      return Object.fromEntries(
        [...text.matchAll(/^patchbay_(\w+(?:\{[^}]*\})?) (\S+)$/gm)].map(([, name, value]) => [
          name,
          Number(value),
        ]),
      )
    }
    expect(await figures()).toMatchObject({
      deliveries_pending: 0,
      deliveries_oldest_seconds: 0,
      deliveries_overdue_seconds: 0,
      'jobs{state="waiting"}': 0,
      jobs_overdue_seconds: 0,
      automation_overdue_seconds: 0,
      files_bytes: 0,
      database_up: 1,
      requests_unrecorded: 0,
      'jobs{state="running"}': 0,
      streams_open: 0,
      requests_waiting: 0,
      'database_connections{state="waiting"}': 0,
    })
    const draft = { account_id: 1, kind: 'none', subject: 'a', ordering_key: 'a', method: 'POST' as const }
    const drafts = [1, 2, 3].map((n) => ({ ...draft, url: 'http://127.0.0.1:1/', request_id: String(n) }))
    await ctx.db.transaction().execute((tx) => enqueueDeliveries(tx, drafts, ctx.now()))
    const usage = [account, await addAccount('second')].map(({ id: account_id }) => ({
      account_id,
      bytes: 5e9,
    }))
    await ctx.db.transaction().execute((tx) => insertRows(tx, 'file_usage', usage))
    // Counts are read once in ten seconds, however often they are asked for.
    expect(await figures()).toMatchObject({ deliveries_pending: 0, deliveries_overdue_seconds: 0 })
    clock.advance(90)
    expect(await figures()).toMatchObject({
      deliveries_pending: 3,
      deliveries_oldest_seconds: 90,
      deliveries_overdue_seconds: 90,
      files_bytes: 10e9,
    })
  })
})
