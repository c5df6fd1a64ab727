import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createOutbound, OutboundError } from './http-client.ts'

/** For receiver.example and 127.0.0.1, until 2120. Used only in these tests. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLLdYYm3WkOCFGdox
eV5WPhu/OSHRI7GpWk2XXWxx1t+hRANCAARzg+oFxyuC0/LyxiS6w/SFGrZ9ql1x
s8meAJfGjanGAW5wy+yzQ1CemZLcmyC2DN+Fsqe9rD381KdUXh0N0kza
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBfDCCASKgAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBByZWNlaXZl
ci5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBByZWNlaXZlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEc4PqBccrgtPy8sYkusP0hRq2fapdcbPJngCXxo2pxgFucMvss0NQnpmS3Jsg
tgzfhbKnvaw9/NSnVF4dDdJM2qNVMFMwDwYDVR0TAQH/BAUwAwEB/zAhBgNVHREE
GjAYghByZWNlaXZlci5leGFtcGxlhwR/AAABMB0GA1UdDgQWBBS+AR3Z74Ru8ccx
1QGaM8h8yVODiDAKBggqhkjOPQQDAgNIADBFAiB8sf2z2DbYSPFLYVS7svi/LRMw
C1aqHlKuqn+jHBbRgAIhAOteDAXD1Bk4ZzJbwAOQ3GCwl/ObINr/Q9zArHsnLKir
-----END CERTIFICATE-----`

/** Records the server name and the Host of each connection. */
async function receiver(options: { requestCert?: boolean; maxVersion?: 'TLSv1.1' } = {}) {
  const heard: string[] = []
  const tls = { key, cert, ...options, ...(options.maxVersion ? { minVersion: 'TLSv1' as const } : {}) }
  const server = createServer({ ...tls, rejectUnauthorized: true, ca: [cert] }, (socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const host = /host: (\S+)/i.exec(String(chunk))?.[1]
      heard.push(`${socket.servername || 'no name'} ${host}`)
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { heard, port: (server.address() as { port: number }).port }
}

async function ask(url: string): Promise<string> {
  const out = createOutbound({ allow: ['127.0.0.1/32'], resolve: async () => ['127.0.0.1'] })
  onTestFinished(() => out.close())
  return out.request({ method: 'GET', url }).then(
    ({ status }) => `answered ${status}`,
    (error) => (error instanceof OutboundError ? error.reason : String(error)),
  )
}

test('a receiver with an untrusted certificate gets no request', async () => {
  const { heard, port } = await receiver()
  expect(await ask(`https://receiver.example:${port}/`)).toBe('tls')
  expect(heard).toEqual([])
})

test('a receiver without TLS is a TLS failure', async () => {
  const { createServer: createPlain } = await import('node:net')
  const plain = createPlain((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'))
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void plain.close())
  expect(await ask(`https://receiver.example:${(plain.address() as { port: number }).port}/`)).toBe('tls')
})

describe('with a trusted certificate', () => {
  beforeAll(() => {
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, cert])
    return () => setDefaultCACertificates(before)
  })

  test('the name in the URL is sent and checked', async () => {
    const { heard, port } = await receiver()
    expect(await ask(`https://receiver.example:${port}/`)).toBe('answered 200')
    expect(await ask(`https://RECEIVER.example.:${port}/`)).toBe('answered 200')
    expect(heard).toEqual([
      `receiver.example receiver.example:${port}`,
      `receiver.example receiver.example.:${port}`,
    ])
  })

  test('a certificate for another name is refused before anything is sent', async () => {
    const { heard, port } = await receiver()
    expect(await ask(`https://other.example:${port}/`)).toBe('tls')
    expect(heard).toEqual([])
  })

  test('an address is not sent as a server name, but the certificate must contain it', async () => {
    const { heard, port } = await receiver()
    expect(await ask(`https://127.0.0.1:${port}/`)).toBe('answered 200')
    expect(heard).toEqual([`no name 127.0.0.1:${port}`])
  })

  test('a receiver that requires a client certificate or an old TLS is a TLS failure', async () => {
    const wants = await receiver({ requestCert: true })
    expect(await ask(`https://receiver.example:${wants.port}/`)).toBe('tls')
    const old = await receiver({ maxVersion: 'TLSv1.1' })
    expect(await ask(`https://receiver.example:${old.port}/`)).toBe('tls')
  })
})
