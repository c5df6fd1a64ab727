import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../test/world.ts'
import { createProxies } from './proxies.ts'

/** Sends the bytes over a socket and returns the response until the server closes. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(bytes)
  })
}

const chunk = 'a'.repeat(70_000)
const tooLarge: Record<string, string> = {
  'according to its length': 'Content-Length: 9000000\r\n\r\n',
  'according to the received bytes': `Transfer-Encoding: chunked\r\n\r\n${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`,
}

test.each(Object.entries(tooLarge))(
  "behind a trusted proxy, a body that is too large %s is refused with the client's origin",
  async (_how, rest) => {
    const { app } = await world({ env: { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://hub.example' } })
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.http.close())
    const { port } = app.http.server.address() as AddressInfo
    const head = [
      'POST /web/session HTTP/1.1',
      'Host: hub.example',
      'X-Forwarded-Proto: https',
      'Sec-Fetch-Site: same-origin',
    ]
    const type = ['Content-Type: application/json', 'Connection: close', rest]
    const text = await exchange(port, [...head, ...type].join('\r\n'))
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toContain('"type":"https://hub.example/docs/errors#too_large"')
  },
)

test.each([
  ['192.0.2.1:50123', '192.0.2.1'],
  ['198.51.100.7, 192.0.2.1:50123', '192.0.2.1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['192.0.2.1', '192.0.2.1'],
])(
  'the client that a trusted proxy names as %s has the address %s, without a port',
  async (sent, address) => {
    const { app, logged } = await world({ env: { TRUST_PROXY: '127.0.0.1' } })
    const { statusCode } = await app.http.inject({
      method: 'POST',
      url: '/web/session',
      headers: { host: 'localhost:8080', 'x-forwarded-for': sent, 'sec-fetch-site': 'same-origin' },
      payload: { email: 'nobody@example.com', password: 'not the right password' },
    })
    expect(statusCode).toBe(401)
    expect(logged()).toMatch(new RegExp(`"event":"sign_in_failed",.*"address":"${address}"`))
    const request = { headers: { 'x-forwarded-for': sent }, socket: { remoteAddress: '127.0.0.1' } }
    expect(createProxies(['127.0.0.1']).clientOf(request as unknown as IncomingMessage)).toBe(address)
  },
)
