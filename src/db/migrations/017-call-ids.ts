import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { isPostgres } from '../dialect.ts'
import type { Migration } from './migration.ts'

/** The `uniq` of each call, which only one note of an account can have. */
export const callIds: Migration = {
  name: '017-call-ids',
  counted: [],
  statements: [
    `create table call_ids (
      account_id bigint not null, uniq text collate "C" not null, note_id bigint not null,
      primary key (account_id, uniq))`,
  ],
  fill,
}

/** If several notes have the same `uniq`, the first one keeps it. */
async function fill(tx: Tx): Promise<void> {
  const uniq = isPostgres(tx) ? sql`params::json ->> 'uniq'` : sql`params ->> 'uniq'`
  await sql`
    insert into call_ids (account_id, uniq, note_id)
    select account_id, ${uniq}, min(id) from notes
    where note_type in ('call_in', 'call_out') and ${uniq} is not null
    group by account_id, ${uniq}`.execute(tx)
}
