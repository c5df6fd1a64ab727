import { type DestinationStream, type Logger, pino } from 'pino'
import { buildServer } from '../../src/app.ts'
import type { Context } from '../../src/context.ts'

/**
 * A server of a thread. Its routes take longer to register than a test takes to run, so the worlds of a thread use one
 * server in turn: it reads each part of the context from the world that has it.
 */
export class SharedServer {
  #server: ReturnType<typeof buildServer> | undefined
  #current: Context | undefined
  #destination: DestinationStream | undefined
  isFree = true
  /** A server keeps the logger that it began with, so it is one for all worlds too. */
  readonly log: Logger = pino({ level: 'info' }, { write: (line) => this.#destination?.write(line) })
  readonly #context = new Proxy({} as Context, {
    get: (_, part) => Reflect.get(this.#current as Context, part),
    // A copy with another part has all of them, too.
    ownKeys: () => Reflect.ownKeys(this.#current as Context),
    getOwnPropertyDescriptor: (_, part) => ({
      ...Reflect.getOwnPropertyDescriptor(this.#current as Context, part),
      configurable: true,
    }),
  })

  /** Serves a world until it is returned. */
  serve(ctx: Context, log: DestinationStream): ReturnType<typeof buildServer> {
    this.#current = ctx
    this.#destination = log
    this.#server ??= buildServer(this.#context).then((built) => {
      built.http.listen = () => {
        throw new Error('A test that listens needs a server of its own: world({ ownServer: true })')
      }
      // A test that stops it leaves the next world a new one.
      const close = built.http.close.bind(built.http) as () => Promise<undefined>
      built.http.close = (() => {
        this.#server = undefined
        return close()
      }) as typeof built.http.close
      return built
    })
    return this.#server
  }

  return(): void {
    this.#current = undefined
    this.#destination = undefined
    this.isFree = true
  }
}

/** One for the only world of most tests, and one for their second process or world. */
const servers = [new SharedServer(), new SharedServer()]

/** A server that no world uses now. A third one of a test is its own. */
export function borrowServer(): SharedServer | undefined {
  const server = servers.find(({ isFree }) => isFree)
  if (server) server.isFree = false
  return server
}
