import { type AddressInfo, connect as openConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'

/** The headers that describe the content, and the content. */
async function answerOf({ app, admin }: World, method: 'GET' | 'HEAD' | 'POST', url: string, token?: string) {
  const { host } = admin.browser.identity
  const headers = { host, ...(token && { authorization: `Bearer ${token}` }) }
  const { statusCode, headers: sent, rawPayload } = await app.http.inject({ method, url, headers })
  const { 'content-type': type, 'content-length': length } = sent
  return { status: statusCode, type, length, content: rawPayload.toString() }
}

test('HEAD answers with the headers of GET', async () => {
  const all = await world()
  const { access_token } = await connect(all.stranger, await register(all.admin))
  await add(all.admin.browser, 'leads', { name: 'Крыша' })
  for (const [url, status] of [
    ['/api/v4/leads', 200],
    ['/api/v4/contacts', 204],
    ['/api/v4/leads/99', 204],
    ['/api/v4/nowhere', 404],
    ['/api/v4/leads/%', 400],
    ['/healthz', 200],
  ] as const) {
    const got = await answerOf(all, 'GET', url, access_token)
    expect([url, got.status]).toEqual([url, status])
    const head = await answerOf(all, 'HEAD', url, access_token)
    // Such a refusal names the method.
    const expected = status === 404 ? { ...got, length: head.length } : got
    expect(head).toEqual({ ...expected, content: '' })
  }
})

test('HEAD is refused like GET, also where only other methods have a route', async () => {
  const all = await world()
  expect(await answerOf(all, 'HEAD', '/api/v4/leads')).toMatchObject({ status: 401, content: '' })
  const { access_token } = await connect(all.stranger, await register(all.admin))
  expect(await answerOf(all, 'HEAD', '/api/v4/leads/complex', access_token)).toMatchObject({
    status: 405,
    content: '',
  })
})

test.each(['text/csv', 'text/event-stream'])('HEAD reads no stream of %s', async (accept) => {
  const { app, admin, stranger } = await world()
  const { access_token } = await connect(stranger, await register(admin))
  const { host } = admin.browser.identity
  const headers = { host, accept, authorization: `Bearer ${access_token}` }
  // More than a caller can have at a time.
  for (let n = 0; n < 25; n++) {
    const answer = await app.http.inject({ method: 'HEAD', url: '/api/v4/events', headers })
    expect([answer.statusCode, answer.headers['content-type'], answer.payload]).toEqual([
      200,
      expect.stringContaining(accept),
      '',
    ])
  }
})

test('HEAD keeps its name in metrics', async () => {
  const all = await world()
  await answerOf(all, 'HEAD', '/api/v4/leads')
  expect(await all.ctx.metrics.registry.metrics()).toContain(
    'method="HEAD",route="/api/v4/leads",status="401"',
  )
})

test('HEAD sends no content over a connection', async () => {
  const { app } = await world({ ownServer: true })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const socket = openConnection(port, '127.0.0.1')
  const request = (method: string) => `${method} /healthz HTTP/1.1\r\nHost: localhost\r\n`
  socket.end(`${request('HEAD')}\r\n${request('GET')}Connection: close\r\n\r\n`)
  const [head, got, ...rest] = (await text(socket)).split(/^(?=HTTP\/1\.1 )/m)
  expect(rest).toEqual([])
  const [[headers, nothing], [, content]] = [head, got].map((one) => String(one).split('\r\n\r\n')) as [
    string[],
    string[],
  ]
  expect(headers).toMatch(/^content-length: [1-9]/m)
  expect(nothing).toBe('')
  expect(content).not.toBe('')
})
