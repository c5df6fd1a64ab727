import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOutbound, OutboundError, type OutboundRequest } from './http-client.ts'

/** A server, a client for it, and the connections that the server has had and still has. */
async function served(answer: RequestListener, resolve = async () => ['127.0.0.1']) {
  const server = createServer(answer)
  const open = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const out = createOutbound({ allow: ['127.0.0.0/8'], resolve })
  onTestFinished(() => out.close())
  const { port } = server.address() as AddressInfo
  const send = (more: Partial<OutboundRequest> = {}) =>
    out.request({
      method: 'POST',
      url: `http://hook.example:${port}/`,
      body: '{}',
      is_repeated: true,
      ...more,
    })
  return { send, out, open, connections: () => connections }
}

const greet: RequestListener = (_, response) => response.end('ok')

describe('Requests to one endpoint', () => {
  test('use the same connection one after the other', async () => {
    const { send, connections } = await served(greet)
    for (let i = 0; i < 5; i++) expect((await send()).body).toBe('ok')
    expect((await send({ method: 'GET' })).body).toBe('ok')
    expect(connections()).toBe(1)
  })

  test('have a connection each at the same time, and keep four', async () => {
    const { send, open, connections } = await served(greet)
    await Promise.all(Array.from({ length: 8 }, () => send()))
    expect(connections()).toBeLessThanOrEqual(8)
    expect(open.size).toBeLessThanOrEqual(4)
  })

  test('have a new connection if nobody repeats them, which is closed afterwards', async () => {
    const { send, open, connections } = await served(greet)
    await send()
    await send({ is_repeated: false })
    await send({ is_repeated: false })
    expect(connections()).toBe(3)
    await expect.poll(() => open.size).toBe(0)
  })

  test('have a new connection if the name leads elsewhere', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.2'], ['10.0.0.1']]
    const { send, open, connections } = await served(greet, async () => answers.shift() as string[])
    await send()
    await send()
    expect(connections()).toBe(1)
    await send()
    expect(connections()).toBe(2)
    await expect.poll(() => open.size).toBe(1)
    const error = await send().catch((failure) => failure)
    expect([error instanceof OutboundError, error.reason]).toEqual([true, 'forbidden_address'])
    expect(connections()).toBe(2)
  })

  test.each<[string, RequestListener]>([
    ['is not complete', (_, response) => response.end('x'.repeat(1_000_000))],
    [
      'is followed by more',
      (_, response) =>
        response.end('ok', () => response.socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nB')),
    ],
    ['is announced as the last', (_, response) => response.setHeader('connection', 'close').end('ok')],
    ['is followed by an end', (_, response) => response.end('ok', () => response.socket?.end())],
  ])('have a new connection if the last answer %s', async (_, answer) => {
    const { send, open, connections } = await served(answer)
    await send()
    await expect.poll(() => open.size).toBe(0)
    expect((await send()).body).toMatch(/^(ok|x+)$/)
    expect(connections()).toBe(2)
  })
})

describe('A connection', () => {
  test('that ends with a request is a failure of that request', async () => {
    let requests = 0
    const { send, connections } = await served((request, response) => {
      if (++requests === 2) request.socket.resetAndDestroy()
      else response.end('ok')
    })
    await send()
    expect((await send().catch((error) => error)).reason).toBe('reset')
    expect((await send()).body).toBe('ok')
    expect(connections()).toBe(2)
  })

  test('is closed after two seconds without a request, and not while an answer takes longer', async () => {
    let requests = 0
    const { send, open, connections } = await served(async (_, response) => {
      if (++requests === 2) await sleep(2_300)
      response.end('ok')
    })
    await send()
    expect((await send()).body).toBe('ok')
    expect([open.size, connections()]).toEqual([1, 1])
    await expect.poll(() => open.size).toBe(0)
  })

  test('ends with the client', async () => {
    const { send, out, open } = await served(greet)
    await send()
    expect(open.size).toBe(1)
    await out.close()
    await expect.poll(() => open.size).toBe(0)
  })
})
