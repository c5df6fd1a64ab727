import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Store } from './auth.ts'

const tables = `
  create table if not exists grants (id text primary key, account_id bigint not null);
  create table if not exists pairs (
    grant_id text not null, generation bigint not null, access_hash bytea not null unique,
    refresh_hash bytea not null unique, issued_at bigint not null, is_used bigint not null,
    primary key (grant_id, generation));
  create table if not exists codes (hash bytea primary key, consumed_at bigint, grant_id text);`

const statements = {
  bearer: 'select grant_id from pairs where access_hash = $1',
  parent: 'select grant_id, generation from pairs where refresh_hash = $1',
  child: 'insert into pairs values ($1, $2, $3, $4, $5, 0)',
  use: 'update pairs set is_used = 1 where grant_id = $1 and generation = $2',
  code: 'select hash from codes where hash = $1 and consumed_at is null',
  consume: 'update codes set consumed_at = $1, grant_id = $2 where hash = $3',
  grant: 'insert into grants values ($1, 1)',
  new_codes: 'insert into codes (hash) select unnest($1::bytea[])',
}

type Run = (name: keyof typeof statements, values: unknown[]) => Promise<pg.QueryResult>

/** Ten pooled connections, with every statement prepared once on each. */
export async function openPostgres(connectionString: string): Promise<Store> {
  const pool = new pg.Pool({ connectionString, max: 10 })
  await pool.query(tables)
  const run = on(pool)
  return {
    findGrant: async (hash) => (await run('bearer', [hash])).rows[0]?.grant_id,
    refresh: (hash, child) =>
      transaction(pool, async (run) => {
        const [parent] = (await run('parent', [hash])).rows
        if (!parent) return false
        const { grant_id } = parent
        const generation = Number(parent.generation)
        await run('child', [grant_id, generation + 1, child.access_hash, child.refresh_hash, child.issued_at])
        await run('use', [grant_id, generation])
        return true
      }),
    exchange: (hash, grant_id, pair) =>
      transaction(pool, async (run) => {
        if ((await run('code', [hash])).rows.length === 0) return false
        await run('consume', [pair.issued_at, grant_id, hash])
        await run('grant', [grant_id])
        await run('child', [grant_id, 0, pair.access_hash, pair.refresh_hash, pair.issued_at])
        return true
      }),
    addPairs: async (pairs) => {
      for (const pair of pairs) {
        const grant_id = randomUUID()
        await run('grant', [grant_id])
        await run('child', [grant_id, 0, pair.access_hash, pair.refresh_hash, pair.issued_at])
      }
    },
    addCodes: async (hashes) => void (await run('new_codes', [hashes])),
    close: () => pool.end(),
  }
}

const on =
  (client: pg.Pool | pg.PoolClient): Run =>
  (name, values) =>
    client.query({ name, text: statements[name], values })

async function transaction(pool: pg.Pool, work: (run: Run) => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(on(client))
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}
