import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics } from 'prom-client'
import { type App, buildServer, createWorkers } from '../app.ts'
import { startChore } from '../chores.ts'
import { endsAtOnce, STOP_SIGNALS } from '../cluster/stop-signals.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { watchDatabaseFile } from './database-file.ts'
import { releaseStartMemory } from './start-memory.ts'

export interface RunningServer {
  /** The URL on which it listens. */
  address: string
  /** Resolves when the server has stopped after a signal and all started requests are answered. */
  stopped: Promise<void>
}

/**
 * Milliseconds in which load balancers can notice that the server is not ready, and in which responses can then
 * complete.
 */
const GRACE_MS = 1_000
const DRAIN_MS = 10_000
const CLOSE_IDLE_MS = 100

/** The part of this process in the server. */
export interface Role {
  /** Whether it runs the queues and the upkeep. */
  isLeader: boolean
  /** Calls the listener with each signal to stop. */
  onSignal(listener: (signal: string) => void): void
}

/** A process without others does everything. */
const alone: Role = {
  isLeader: true,
  onSignal: (listener) => {
    for (const signal of STOP_SIGNALS) process.on(signal, listener)
  },
}

/** Listens, starts the workers, and stops everything on a signal; a second one exits immediately. */
export async function startServer(
  ctx: Context,
  close: () => Promise<void>,
  role: Role = alone,
): Promise<RunningServer> {
  const app = await buildServer(ctx)
  collectMetricsOfProcess(ctx)
  const address = await listenAll(app, ctx.config).catch(async (error) => {
    await Promise.all([app.http.close(), app.operator.close()])
    await close()
    throw error
  })
  releaseStartMemory(app.http.server)
  const workers = role.isLeader ? Object.values(createWorkers(ctx)) : []
  for (const worker of workers) worker.start()
  const chores = app.chores.filter(({ is_of_process }) => role.isLeader || is_of_process)
  const stopChores = chores.map((chore) => startChore(ctx, chore))
  stopChores.push(watchDatabaseFile(ctx))

  const stop = async (signal: string) => {
    ctx.log.info({ signal }, 'stopping')
    app.http.lifecycle.draining = true
    if (ctx.config.mode === 'serve') await sleep(GRACE_MS)
    for (const stopChore of stopChores) stopChore()
    // A connection becomes idle when its last response ends, so closing idle connections once is not enough.
    const closing = setInterval(() => app.http.server.closeIdleConnections(), CLOSE_IDLE_MS)
    await Promise.race([
      Promise.all([app.http.close(), ...workers.map((worker) => worker.stop())]),
      sleep(DRAIN_MS, undefined, { ref: false }),
    ])
    clearInterval(closing)
    await app.operator.close()
    // Remaining connections have had their time, and would keep the program running.
    app.http.server.closeAllConnections()
    await close()
  }
  const stopped = new Promise<void>((resolve, reject) => {
    let isStopping = false
    const onSignal = (signal: string) => {
      if (isStopping) {
        if (endsAtOnce(signal)) process.exit(1)
        return
      }
      isStopping = true
      stop(signal).then(resolve, reject)
    }
    role.onSignal(onSignal)
  })
  return { address, stopped }
}

/** Of several processes, the metrics have the start of the newest, so that the restart of one is seen. */
function collectMetricsOfProcess({ metrics: { registry } }: Context): void {
  collectDefaultMetrics({ register: registry })
  Object.assign(registry.getSingleMetric('process_start_time_seconds') ?? {}, { aggregator: 'max' })
}

/** Connections that the system queues while the program is busy; the system can have a lower limit. */
const BACKLOG = 4_096

/** Returns the URL of the public server. The operator's server starts last: then the server is ready. */
async function listenAll(
  { http, operator }: Pick<App, 'http' | 'operator'>,
  { host, port, metrics_listen, tls }: Config,
): Promise<string> {
  const names = { address: `HOST ${host}`, port: `PORT ${port}`, both: `PORT ${port} of ${host}` }
  await listen(http, { host, port }, names)
  if (metrics_listen) {
    const name = `METRICS_LISTEN ${metrics_listen.host}:${metrics_listen.port}`
    await listen(operator, metrics_listen, { address: name, port: name, both: name })
  }
  // The framework names loopback for HOST 0.0.0.0.
  const { address, family, port: taken } = http.server.address() as AddressInfo
  return `${tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

interface Names {
  address: string
  port: string
  both: string
}

/** Listening errors name the setting that caused them. */
async function listen(
  server: App['http'],
  at: { host: string; port: number },
  names: Names,
): Promise<string> {
  try {
    return await server.listen({ ...at, backlog: BACKLOG })
  } catch (error) {
    const sentence = notGiven[(error as NodeJS.ErrnoException).code ?? '']
    throw sentence ? new ConfigError(sentence(names), { cause: error }) : error
  }
}

const notGiven: Record<string, (names: Names) => string> = {
  EADDRINUSE: ({ both }) => `${both} is in use by another program.`,
  EACCES: ({ port }) => `This user cannot listen on ${port}.`,
  EADDRNOTAVAIL: ({ address }) => `${address} is not an address of this machine.`,
  ENOTFOUND: ({ address }) => `${address} is not an address of this machine.`,
}
