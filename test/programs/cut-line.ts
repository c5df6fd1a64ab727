import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from '../../src/commands/ports.ts'

/** A connection to a database that a test can cut, silence and restore. */
export interface Line {
  /** The address of the database through this connection. */
  url: string
  /** Breaks all connections and refuses new ones until `restore`. */
  cut(): Promise<void>
  /** Breaks all connections and accepts new ones. */
  breakOff(): void
  /** Forwards nothing in either direction until `restore`. Connections stay open and are accepted. */
  silence(): void
  restore(): Promise<void>
}

/** Opens a connection to the database at an address. */
export async function lineTo(database_url: string): Promise<Line> {
  const there = new URL(database_url)
  const port = await freePort()
  const sockets = new Set<Socket>()
  let isSilent = false
  let server: Server | undefined
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  }
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = dial(Number(there.port), there.hostname)
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          keep(from)
          from.on('data', (bytes) => isSilent || to.write(bytes))
          from.on('close', () => to.destroy())
        }
      }).listen(port, '127.0.0.1', resolve)
    })
  const breakOff = () => {
    for (const socket of sockets) socket.destroy()
  }
  const cut = async () => {
    const closing = server
    server = undefined
    const closed = closing && new Promise((resolve) => closing.close(resolve))
    breakOff()
    await closed
  }
  await open()
  onTestFinished(cut)
  const near = new URL(database_url)
  near.host = `127.0.0.1:${port}`
  return {
    url: near.href,
    cut,
    breakOff,
    silence: () => {
      isSilent = true
    },
    restore: async () => {
      isSilent = false
      if (!server) await open()
    },
  }
}
