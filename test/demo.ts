import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { type Demo, prepareDemo } from '../src/commands/demo/demo.ts'
import { closeContext, openContext } from '../src/commands/open.ts'
import { freePort } from '../src/commands/ports.ts'
import { startServer } from '../src/commands/start.ts'
import { emptyDatabase, type Place } from './databases.ts'
import { hashAtFullCost } from './fast-hashing.ts'

/**
 * Where `patchbay dev` was started before, on the embedded database: its demo account takes three times as long as a
 * start. All such places of a run are copies, with the same keys. On PostgreSQL, the place is empty.
 */
export async function placeWithDemo(): Promise<Place> {
  const place = await emptyDatabase()
  if (!place.database_url) cpSync(await demoTemplate(), place.data_dir, { recursive: true })
  return place
}

async function demoTemplate(): Promise<string> {
  const template = join(inject('templates'), 'demo')
  if (existsSync(template)) return template
  // Another thread may make one at the same time. The first is kept.
  const folder = mkdtempSync(`${template}-`)
  hashAtFullCost()
  const ctx = await openContext({
    mode: 'dev',
    env: { DATA_DIR: folder, LOG_LEVEL: 'warn' },
    create: true,
  })
  await prepareDemo(ctx)
  await closeContext(ctx)
  try {
    renameSync(folder, template)
  } catch {
    rmSync(folder, { recursive: true })
  }
  return template
}

export interface RunningDemo {
  base: string
  demo: Demo
  DATA_DIR: string
  /** Stops it before the test ends. */
  stop(): Promise<void>
}

/**
 * The server of `patchbay dev` with its demo account and these settings, in this process: a program takes ten times as
 * long to start.
 */
export async function runningDemo(
  settings: Record<string, string> = {},
  DATA_DIR?: string,
): Promise<RunningDemo> {
  DATA_DIR ??= (await placeWithDemo()).data_dir
  const port = await freePort()
  const usual = { METRICS_LISTEN: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
  const env: Record<string, string> = { ...usual, ...settings, DATA_DIR, PORT: String(port) }
  // Its people have passwords at full cost, as the program sets them.
  hashAtFullCost()
  const ctx = await openContext({ mode: 'dev', env, create: true })
  const demo = await prepareDemo(ctx)
  if (!demo) throw new Error('The demo account has no file.')
  let stop = (_signal: string) => {}
  const role = {
    isLeader: true,
    onSignal: (listener: typeof stop) => {
      stop = listener
    },
  }
  const server = await startServer(ctx, () => closeContext(ctx), role)
  let isStopped = false
  const end = async () => {
    if (!isStopped) stop('SIGTERM')
    isStopped = true
    await server.stopped
  }
  onTestFinished(end)
  return { base: `${env.TLS_CERT ? 'https' : 'http'}://127.0.0.1:${port}`, demo, DATA_DIR, stop: end }
}
