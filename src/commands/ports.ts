import { createServer } from 'node:net'

/** PORT=0 asks for any free port. It is found before the start, because the addresses that are printed hold it. */
export async function withFreePort(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  return env.PORT === '0' ? { ...env, PORT: String(await freePort()) } : env
}

/** A port of the loopback that nothing listens on. Another program may still be faster than who asked. */
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
