import { randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import type { Store } from './auth.ts'
import { sharedCommits } from './shared-commits.ts'

const tables = `
  create table if not exists grants (id text primary key, account_id integer not null) strict;
  create table if not exists pairs (
    grant_id text not null, generation integer not null, access_hash blob not null unique,
    refresh_hash blob not null unique, issued_at integer not null, is_used integer not null,
    primary key (grant_id, generation)) strict;
  create table if not exists codes (hash blob primary key, consumed_at integer, grant_id text) strict;`

const statements = {
  bearer: 'select grant_id from pairs where access_hash = ?',
  parent: 'select grant_id, generation from pairs where refresh_hash = ?',
  child: 'insert into pairs values (?, ?, ?, ?, ?, 0)',
  use: 'update pairs set is_used = 1 where grant_id = ? and generation = ?',
  code: 'select hash from codes where hash = ? and consumed_at is null',
  consume: 'update codes set consumed_at = ?, grant_id = ? where hash = ?',
  grant: 'insert into grants values (?, 1)',
  new_code: 'insert into codes (hash) values (?)',
}

interface Parent {
  grant_id: string
  generation: number
}

/** WAL with synchronous=FULL. Transactions of one turn of the event loop share a commit. */
export async function openSqlite(file: string): Promise<Store> {
  const db = new Sqlite(file, { timeout: 5_000 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(tables)
  const run = prepareAll(db)
  const transaction = sharedCommits(db)

  return {
    findGrant: (hash) => (run.bearer.get(hash) as Parent | undefined)?.grant_id,
    refresh: (hash, child) =>
      transaction(() => {
        const parent = run.parent.get(hash) as Parent | undefined
        if (!parent) return false
        const { grant_id, generation } = parent
        run.child.run(grant_id, generation + 1, child.access_hash, child.refresh_hash, child.issued_at)
        run.use.run(grant_id, generation)
        return true
      }),
    exchange: (hash, grant_id, pair) =>
      transaction(() => {
        if (!run.code.get(hash)) return false
        run.consume.run(pair.issued_at, grant_id, hash)
        run.grant.run(grant_id)
        run.child.run(grant_id, 0, pair.access_hash, pair.refresh_hash, pair.issued_at)
        return true
      }),
    addPairs: async (pairs) => {
      for (const pair of pairs) {
        const grant_id = randomUUID()
        run.grant.run(grant_id)
        run.child.run(grant_id, 0, pair.access_hash, pair.refresh_hash, pair.issued_at)
      }
    },
    addCodes: async (hashes) => db.transaction(() => hashes.forEach((hash) => void run.new_code.run(hash)))(),
    close: async () => void db.close(),
  }
}

function prepareAll(db: Sqlite.Database) {
  const entries = Object.entries(statements).map(([name, sql]) => [name, db.prepare(sql)])
  return Object.fromEntries(entries) as Record<keyof typeof statements, Sqlite.Statement>
}
