import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { TEMPLATE } from './postgres.ts'

export type Kind = 'sqlite' | 'postgres'

/** Where a database is: what openDatabase takes. */
export interface Place {
  database_url: string
  data_dir: string
}

/** The kind that this run of the tests is about. */
export const kindOfRun = (): Kind => (process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite')

/** Made while a test runs, for the next one: a copy takes PostgreSQL a twentieth of a second. The last goes with the server. */
let next: Promise<string> | undefined
/** Databases that nobody needs any more are dropped one after the other, and no test waits for it. */
let dropping = Promise.resolve()

/** A database of its own, with the schema in it: the address on PostgreSQL; empty for the embedded one, in the folder. */
export async function freshDatabase(data_dir: string, kind: Kind): Promise<string> {
  if (kind === 'sqlite') {
    cpSync(inject('embedded'), data_dir, { recursive: true })
    return ''
  }
  const url = await (next ?? copyTemplate())
  next = copyTemplate()
  return url
}

/** Takes the address that `freshDatabase` gave. */
export function dropDatabase(url: string): void {
  if (url) dropping = dropping.then(() => onServer(`drop database ${nameIn(url)} with (force)`))
}

async function copyTemplate(): Promise<string> {
  const name = `world_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  return `${inject('postgres')}/${name}`
}

const nameIn = (url: string) => new URL(url).pathname.slice(1)

/** A database with nothing in it, not even a schema, and a folder of its own. Gone when the test ends. */
export async function emptyDatabase(kind: Kind = kindOfRun()): Promise<Place> {
  const data_dir = mkdtempSync(join(tmpdir(), 'patchbay-data-'))
  onTestFinished(() => rmSync(data_dir, { recursive: true, force: true }))
  if (kind === 'sqlite') return { database_url: '', data_dir }
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name}`)
  onTestFinished(() => onServer(`drop database ${name} with (force)`))
  return { database_url: `${inject('postgres')}/${name}`, data_dir }
}

/** Kept by the thread: opening a connection takes longer than most of what is asked. */
let server: pg.Pool | undefined

async function onServer(statement: string): Promise<void> {
  server ??= new pg.Pool({
    connectionString: `${inject('postgres')}/postgres`,
    max: 2,
    allowExitOnIdle: true,
  })
  await server.query(statement)
}
