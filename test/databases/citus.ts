import { tmpdir } from 'node:os'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/db/database.ts'
import { placeTables } from '../../src/db/distribution/citus.ts'
import { migrate } from '../../src/db/migrate.ts'
import { TEMPLATE } from './postgres.ts'

/** Few, because every test has tables of its own. */
const SHARDS = 4

interface ServerNode {
  host: string
  port: number
  is_coordinator: boolean
  /** Its address, without a database. */
  url: string
}

/**
 * Prepares the tests on a PostgreSQL with Citus: CITUS_URL is the address of the coordinator, with a database in which
 * `create extension citus` was done and the workers were added. The tests create databases of their own on all of its
 * servers, so they connect to each of them with the user and password of the address.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = process.env.CITUS_URL
  if (!home) throw new Error('Set CITUS_URL to a database of a PostgreSQL with Citus, on its coordinator.')
  const nodes = await nodesOf(home)
  const coordinator = nodes.find((node) => node.is_coordinator)
  if (!coordinator)
    throw new Error('The coordinator does not know its own address: citus_set_coordinator_host.')
  for (const { url } of nodes) {
    await run(
      `${url}/postgres`,
      `drop database if exists ${TEMPLATE} with (force)`,
      `create database ${TEMPLATE}`,
    )
    await run(`${url}/${TEMPLATE}`, 'create extension citus')
  }
  await run(
    `${coordinator.url}/${TEMPLATE}`,
    ...nodes.map(({ host, port, is_coordinator }) =>
      is_coordinator
        ? `select citus_set_coordinator_host('${host}', ${port})`
        : `select citus_add_node('${host}', ${port})`,
    ),
  )
  const db = openDatabase(
    { database_url: `${coordinator.url}/${TEMPLATE}`, data_dir: tmpdir() },
    { onCommitFailure: () => {} },
  )
  await migrate(db, 0)
  await placeTables(db, SHARDS, () => {})
  await db.destroy()
  project.provide('postgres', coordinator.url)
  project.provide(
    'servers',
    nodes.map(({ url }) => url),
  )
  return async () => {
    for (const { url } of nodes)
      await run(`${url}/postgres`, `drop database if exists ${TEMPLATE} with (force)`)
  }
}

/** The servers of a database, the coordinator first. */
async function nodesOf(home: string): Promise<ServerNode[]> {
  const rows = await run(
    home,
    `select nodename as host, nodeport as port, groupid = 0 as is_coordinator from pg_dist_node
      where noderole = 'primary' order by groupid`,
  )
  return rows.map((row) => {
    const node = row as Omit<ServerNode, 'url'>
    const url = new URL(home)
    // The registered address can be one by which only the servers reach each other.
    if (!node.is_coordinator) Object.assign(url, { hostname: node.host, port: String(node.port) })
    url.pathname = ''
    return { ...node, url: url.href.replace(/\/$/, '') }
  })
}

/** Runs statements on a server, one after the other, and returns the rows of the last one. */
async function run(connectionString: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
