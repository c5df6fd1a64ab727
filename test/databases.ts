import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

export type Kind = 'sqlite' | 'postgres'

/** Where a database is: what openDatabase takes. */
export interface Place {
  database_url: string
  data_dir: string
}

/** The kind that this run of the tests is about. */
export const kindOfRun = (): Kind => (process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite')

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

async function onServer(statement: string): Promise<void> {
  const connection = new pg.Client({ connectionString: `${inject('postgres')}/postgres` })
  await connection.connect()
  await connection.query(statement)
  await connection.end()
}
