import { type DestinationStream, type Logger, pino } from 'pino'
import { buildServer } from '../src/app.ts'
import type { Context } from '../src/context.ts'

/**
 * The server of a thread. Its routes take longer to register than a test takes to run, so the worlds of a thread use one
 * server in turn: it reads each part of the context from the world that has it.
 */
let server: ReturnType<typeof buildServer> | undefined
let current: Context | undefined
let destination: DestinationStream | undefined

const context = new Proxy({} as Context, {
  get: (_, part) => Reflect.get(current as Context, part),
  // A copy with another part has all of them, too.
  ownKeys: () => Reflect.ownKeys(current as Context),
  getOwnPropertyDescriptor: (_, part) => ({
    ...Reflect.getOwnPropertyDescriptor(current as Context, part),
    configurable: true,
  }),
})

/** A server keeps the logger that it began with, so it is one for all worlds too. */
export const sharedLog: Logger = pino({ level: 'info' }, { write: (line) => destination?.write(line) })

/** Whether no world uses the server now. A second world of a test needs one of its own. */
export const isServerFree = (): boolean => current === undefined

/** Gives the server to a world until it is returned. */
export function borrowServer(ctx: Context, log: DestinationStream): ReturnType<typeof buildServer> {
  current = ctx
  destination = log
  server ??= buildServer(context).then((built) => {
    built.http.listen = () => {
      throw new Error('A test that listens needs a server of its own: world({ ownServer: true })')
    }
    return built
  })
  return server
}

export function returnServer(): void {
  current = undefined
  destination = undefined
}
