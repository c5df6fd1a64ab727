import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Stands for the names that a user of a platform's domain has in DNS: a proxy that knows one host, and takes every
 * client that asks for it to a port of this machine. The traffic inside is TLS from one end to the other.
 */
export async function openTunnel(host: string, port: number): Promise<{ url: string; asked: Set<string> }> {
  const asked = new Set<string>()
  const sockets = new Set<Socket>()
  const proxy = createServer().on('connect', ({ url = '' }, client: Socket, head) => {
    asked.add(url)
    if (url !== `${host}:443`) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.write(head)
      server.pipe(client).pipe(server)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
}
