import { createServer } from 'node:net'

/** Replaces PORT=0 with a free port before the start, because the printed addresses contain it. */
export async function withFreePort(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  return env.PORT === '0' ? { ...env, PORT: String(await freePort()) } : env
}

/** Finds a free port on loopback. Another program can still take it first. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
