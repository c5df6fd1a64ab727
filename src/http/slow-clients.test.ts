import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../test/world.ts'

/** A listening server. Its limits are those after the start. */
async function listening() {
  const { app, logged } = await world({ ownServer: true })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  return { http: app.http, server: app.http.server, port, logged }
}

/** Sends the head at once and the rest byte by byte. Returns the answer and the time of the disconnect. */
function drip(port: number, head: string, rest: string): Promise<{ seconds: number; answer: string }> {
  const begun = performance.now()
  let answer = ''
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(head)
    let sent = 0
    const timer = setInterval(() => socket.write(rest.charAt(sent++ % rest.length)), 100)
    onTestFinished(() => clearInterval(timer))
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ seconds: (performance.now() - begun) / 1000, answer })
    })
  })
}

const HEAD = 'Host: localhost\r\n'
const TIMEOUT = /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*"status":408/

test('the connection limits are the documented ones', async () => {
  const { server } = await listening()
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxHeadersCount } = server
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxHeadersCount }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    timeout: 120_000,
    maxHeadersCount: 100,
  })
  expect([server.maxConnections, server.maxRequestsPerSocket]).toEqual([11_000, 10_000])
})

// This test takes ten seconds and does not depend on the database, so it runs once.
test.runIf(process.env.TEST_DATABASE === 'sqlite')(
  'slow headers on hundreds of connections are cut off while other clients are served',
  async () => {
    const { port } = await listening()
    const slow = Array.from({ length: 200 }, () => drip(port, `GET /healthz HTTP/1.1\r\n${HEAD}X: `, 'a'))
    const times: number[] = []
    for (let i = 0; i < 20; i++) {
      const before = performance.now()
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
      times.push(performance.now() - before)
    }
    // A busy machine is late, but not by the ten seconds of the slow ones, or the thirty of a whole request.
    expect(Math.max(...times)).toBeLessThan(9_000)
    const ends = await Promise.all(slow)
    expect(ends.filter(({ seconds }) => seconds < 9.5 || seconds > 25)).toEqual([])
    expect(ends.filter(({ answer }) => !TIMEOUT.test(answer))).toEqual([])
  },
)

test('a slow body is cut off and not logged as an internal error', async () => {
  const { server, port, logged } = await listening()
  server.headersTimeout = 1_000
  server.requestTimeout = 1_000
  const head = `POST /web/session HTTP/1.1\r\n${HEAD}Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`
  const { seconds, answer } = await drip(port, head, ' ')
  // The usual limit is thirty seconds.
  expect(seconds).toBeLessThan(20)
  expect(answer).toMatch(TIMEOUT)
  expect(logged()).not.toContain('unexpected error')
})

test('a client that disconnects during a body is not logged as an internal error', async () => {
  const { port, logged } = await listening()
  const head = `POST /web/session HTTP/1.1\r\n${HEAD}Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(head, () => setTimeout(() => socket.destroy(), 200)),
    )
    socket.on('close', () => resolve())
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(logged()).not.toContain('unexpected error')
})
