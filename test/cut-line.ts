import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from '../src/commands/ports.ts'

/** A line to a database that a test can cut, leave silent and restore. */
export interface Line {
  /** The address of the database through this line. */
  url: string
  /** Breaks every connection, and refuses new ones until `restore`. */
  cut(): Promise<void>
  /** Breaks every connection; new ones are taken. */
  breakOff(): void
  /** Lets nothing through, in both directions, until `restore`; connections stay, and are taken. */
  silence(): void
  restore(): Promise<void>
}

/** Opens a line to the database of an address. */
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
