import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { createListener } from '../framing.ts'
import { createProxies } from '../proxies.ts'
import { limitConnections } from './connections.ts'

const open = async (port: number, localAddress = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function limited(limits: { all: number; each: number }, trusted: string[] = []) {
  const refused: (string | undefined)[] = []
  const server = createServer((_request, response) => response.end())
  limitConnections(server, {
    ...limits,
    isExempt: createProxies(trusted).isTrusted,
    refuse: (socket) => {
      refused.push(socket.remoteAddress)
      socket.destroy()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { refused, open: (address?: string) => open(port, address) }
}

test('idle connections of one address leave room for others, and closed ones free their place', async () => {
  const server = await limited({ all: 100, each: 3 })
  const [first] = await Promise.all([1, 2, 3].map(() => server.open()))
  await server.open()
  await expect.poll(() => server.refused).toEqual(['127.0.0.1'])
  await server.open('127.0.0.2')
  const closed = once(first as Socket, 'close')
  first?.destroy()
  await closed
  await expect
    .poll(async () => {
      server.refused.length = 0
      const socket = await server.open()
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.destroy()
      return server.refused
    })
    .toEqual([])
})

test('a trusted proxy is limited only by the total number of connections', async () => {
  const server = await limited({ all: 5, each: 2 }, ['127.0.0.1'])
  await Promise.all([1, 2, 3, 4, 5].map(() => server.open()))
  expect(server.refused).toEqual([])
  await server.open()
  await expect.poll(() => server.refused).toEqual(['127.0.0.1'])
})

test('an excess connection gets 503 and a retry time, whether it sends a request or not', async () => {
  let refused = 0
  const reached: (string | undefined)[] = []
  const server = createListener((request) => void reached.push(request.url), {
    tls: null,
    proxies: createProxies([]),
    accepted: () => {},
    refusedConnection: () => refused++,
    limits: { all: 0, each: 0 },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const answers = await Promise.all(
    ['GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n', ''].map(async (request) => {
      const socket = await open(port)
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      if (request) socket.write(request)
      const [failed] = await once(socket, 'close')
      return [failed, text]
    }),
  )
  const answer = expect.stringMatching(/^HTTP\/1\.1 503 Service Unavailable\r\n[\s\S]*retry-after: 5\r\n/)
  expect(answers).toEqual([
    [false, answer],
    [false, answer],
  ])
  expect([refused, reached]).toEqual([2, []])
})

test('an untrusted X-Forwarded-For is logged once', async () => {
  const { stranger, logged } = await world({ ownServer: true })
  for (let n = 0; n < 3; n++) await stranger.get('/healthz', { 'x-forwarded-for': '203.0.113.9' })
  expect(logged().match(/X-Forwarded-For[^"]*TRUST_PROXY/g)).toHaveLength(1)
  expect(logged()).toContain('"address":"127.0.0.1"')
  const behind = await world({ env: { TRUST_PROXY: '127.0.0.0/8' } })
  await behind.stranger.get('/healthz', { 'x-forwarded-for': '203.0.113.9' })
  expect(behind.logged()).not.toContain('TRUST_PROXY')
})
