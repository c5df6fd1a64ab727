import cluster from 'node:cluster'
import { divideHashing } from '../accounts/accounts.ts'
import { joinCluster } from '../cluster/member.ts'
import { Primary } from '../cluster/primary.ts'
import { closeContext, EXIT_DATABASE_LOST, openContext } from './open.ts'
import type { ServerParts } from './processes.ts'
import { startServer } from './start.ts'

/** Runs the primary, or the server process that it has started. */
export function runSeveral<Prepared>(parts: ServerParts<Prepared>, workers: number): Promise<void> {
  return cluster.isPrimary ? runPrimary(parts, workers) : runMember(parts.opening)
}

/** Prepares the database once, then starts the processes that serve it. */
async function runPrimary<Prepared>(
  { opening, prepare, announce }: ServerParts<Prepared>,
  workers: number,
): Promise<void> {
  const ctx = await openContext({ ...opening, create: true })
  const prepared = await prepare(ctx)
  const primary = new Primary({ workers, env: opening.env, log: ctx.log, fatal: EXIT_DATABASE_LOST })
  const address = await Promise.race([primary.start(), primary.ended.then(() => null)])
  if (address !== null) await announce(ctx, address, prepared)
  await closeContext(ctx)
  // A process that could not start has printed the reason.
  process.exit(await primary.ended)
}

async function runMember(opening: ServerParts<unknown>['opening']): Promise<void> {
  const member = joinCluster(Date.now)
  try {
    const ctx = await openContext({ ...opening, create: false, member })
    member.follow(ctx)
    divideHashing(ctx.config)
    const server = await startServer(ctx, () => closeContext(ctx), member)
    member.ready(server.address)
    await server.stopped
  } finally {
    member.leave()
  }
}
