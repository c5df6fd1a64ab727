import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { client } from '../../test/client.ts'
import { world } from '../../test/world.ts'
import { buildApp } from '../app.ts'
import { freePort } from '../commands/ports.ts'
import { openDatabase } from '../db/database.ts'

describe('What a load balancer asks', () => {
  test('the server lives and is ready, under whatever name it is asked', async () => {
    const { stranger } = await world()
    for (const host of ['demo.localhost:8080', '10.0.0.7:8080', 'patchbay.internal', '']) {
      const prober = stranger.as({ host })
      const live = await prober.get('/healthz')
      expect([live.status, live.body]).toEqual([200, { status: 'ok' }])
      const ready = await prober.get('/readyz')
      expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }])
      expect((await prober.get('/metrics')).status).toBe(200)
    }
    // Nothing else is answered under a name that is not ours.
    for (const path of ['/', '/docs/errors', '/api/v4/account', '/web/session', '/nothing'])
      expect((await stranger.as({ host: '10.0.0.7:8080' }).get(path)).status).toBe(400)
  })

  test('told to stop, it lives and is not ready, and answers what it is asked all the same', async () => {
    const { app, stranger } = await world()
    app.http.lifecycle.draining = true
    expect((await stranger.get('/healthz')).status).toBe(200)
    const ready = await stranger.get('/readyz')
    expect([ready.status, ready.body]).toEqual([503, { status: 'draining' }])
    expect((await stranger.get('/api/v4/account')).status).toBe(401)
  })

  test('without its database it lives and is not ready, and says nothing of why', async () => {
    const { ctx } = await world()
    const database_url = `postgres://patchbay:secret@127.0.0.1:${await freePort()}/gone`
    const db = openDatabase({ database_url, data_dir: '' }, { onCommitFailure: () => {} })
    onTestFinished(() => db.destroy())
    const { http } = await buildApp({ ...ctx, db })
    onTestFinished(() => http.close())
    const prober = client(http, { host: 'localhost' })
    expect((await prober.get('/healthz')).status).toBe(200)
    const ready = await prober.get('/readyz')
    expect([ready.status, ready.body]).toEqual([503, { status: 'no database' }])
    const failed = await prober.as({ token: 'x' }).get('/api/v4/account')
    expect([failed.status, failed.body.title]).toEqual([500, 'Internal Server Error'])
    expect(failed.text).not.toMatch(/secret|ECONNREFUSED|gone/)
  })
})

describe('What is measured', () => {
  const counted = (text: string, route: string) =>
    [...text.matchAll(/^patchbay_http_request_seconds_count\{([^}]*)\} (\d+)$/gm)]
      .filter(([, labels]) => labels?.includes(`route="${route}"`))
      .map(([, labels, count]) => `${labels?.replace(`,route="${route}"`, '')} ${count}`)

  test('requests, by route and status, and never by address', async () => {
    const { stranger } = await world()
    for (let i = 0; i < 3; i++) await stranger.get(`/healthz?n=${i}`)
    await stranger.get('/api/v4/account')
    await stranger.get('/secret-path')
    const { text, headers } = await stranger.get('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(counted(text, '/healthz')).toEqual(['method="GET",status="200" 3'])
    expect(counted(text, '/api/v4/account')).toEqual(['method="GET",status="401" 1'])
    expect(text).not.toContain('secret-path')
  })

  test('the answer to the last request is counted by the time it is complete', async () => {
    const { app } = await world()
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.http.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => {
      socket.destroy()
    })
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(counted(text, '/healthz')).toEqual(['method="GET",status="200" 1'])
  })
})
