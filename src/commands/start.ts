import { setTimeout as sleep } from 'node:timers/promises'
import { type App, buildApp, type Job } from '../app.ts'
import type { Context } from '../context.ts'

export interface RunningServer {
  app: App
  /** Where it listens, as a URL. */
  address: string
  /** Settles when a signal has stopped it and everything that was begun is answered. */
  stopped: Promise<void>
}

/** How long a load balancer gets to see that the server is not ready any more, and how long answers may take after that. */
const GRACE_MS = 1_000
const DRAIN_MS = 10_000

/** Listens, starts the workers, and stops all of it on SIGTERM or SIGINT; a second signal ends the program at once. */
export async function startServer(ctx: Context, close: () => Promise<void>): Promise<RunningServer> {
  const app = await buildApp(ctx)
  const address = await app.http.listen({ host: ctx.config.host, port: ctx.config.port })
  app.deliveries.start()
  const timers = app.jobs.map((job) => startJob(ctx, job))

  const stop = async (signal: string) => {
    ctx.log.info({ signal }, 'stopping')
    app.http.lifecycle.draining = true
    if (ctx.config.mode === 'serve') await sleep(GRACE_MS)
    for (const timer of timers) clearInterval(timer)
    await Promise.race([
      Promise.all([app.http.close(), app.deliveries.stop()]),
      sleep(DRAIN_MS, undefined, { ref: false }),
    ])
    await close()
  }
  const stopped = new Promise<void>((resolve, reject) => {
    let signals = 0
    const onSignal = (signal: string) => {
      if (++signals > 1) process.exit(1)
      stop(signal).then(resolve, reject)
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
  return { app, address, stopped }
}

function startJob(ctx: Context, job: Job): NodeJS.Timeout {
  let running = false
  return setInterval(async () => {
    if (running) return
    running = true
    try {
      await job.run()
    } catch (error) {
      ctx.log.error({ err: error, job: job.name }, 'a job failed and will be tried again')
    }
    running = false
  }, job.every_seconds * 1000).unref()
}
