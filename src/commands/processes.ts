import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { closeContext, type Opening, openContext } from './open.ts'
import { goOnWithoutOutput } from './output.ts'
import { startServer } from './start.ts'

/** The parts of a command that surround its server. */
export interface ServerParts<Prepared> {
  opening: Required<Pick<Opening, 'mode' | 'env'>>
  /** Runs before the server listens. */
  prepare(ctx: Context): Promise<Prepared>
  /** Runs when it listens. */
  announce(ctx: Context, address: string, prepared: Prepared): Promise<void> | void
}

/** Runs a server until it is stopped: in this process, or in several if WORKERS says so. */
export async function runServer<Prepared>(parts: ServerParts<Prepared>): Promise<void> {
  const { mode, env } = parts.opening
  const { workers } = readConfig(mode, env)
  goOnWithoutOutput()
  if (workers === 1) return runAlone(parts)
  // One process needs nothing of this.
  const { runSeveral } = await import('./several-processes.ts')
  return runSeveral(parts, workers)
}

async function runAlone<Prepared>({ opening, prepare, announce }: ServerParts<Prepared>): Promise<void> {
  const ctx = await openContext({ ...opening, create: true })
  const prepared = await prepare(ctx)
  const server = await startServer(ctx, () => closeContext(ctx))
  await announce(ctx, server.address, prepared)
  await server.stopped
}
