import Sqlite from 'better-sqlite3'
import { type NewLead, now, type Store, type StoredLead } from './records.ts'
import { sharedCommits } from './shared-commits.ts'

const tables = `
  create table if not exists leads (
    id integer primary key, name text not null, price integer not null, responsible_user_id integer not null,
    status_id integer not null, pipeline_id integer not null, created_at integer not null, updated_at integer not null,
    field_values text not null) strict;
  create table if not exists field_keys (
    field_id integer not null, key text not null, lead_id integer not null,
    primary key (field_id, key, lead_id)) strict, without rowid;
  create table if not exists events (
    id integer primary key, type integer not null, entity_id integer not null, created_by integer not null,
    created_at integer not null, value_after text not null, value_before text not null) strict;`

const columns =
  'leads.id, name, price, responsible_user_id, status_id, pipeline_id, created_at, updated_at, field_values'

/** WAL with synchronous=FULL. Transactions of one turn of the event loop share a commit. */
export async function openSqlite(file: string): Promise<Store> {
  const db = new Sqlite(file, { timeout: 5_000 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(tables)
  const insertLead = db.prepare(
    'insert into leads (name, price, responsible_user_id, status_id, pipeline_id, created_at, updated_at, field_values) values (?, ?, 1, 1, 1, ?, ?, ?)',
  )
  const insertKey = db.prepare('insert into field_keys values (?, ?, ?)')
  const insertEvent = db.prepare(
    'insert into events (type, entity_id, created_by, created_at, value_after, value_before) values (?, ?, 1, ?, ?, ?)',
  )
  const list = db.prepare(`select ${columns} from leads where id > ? order by id limit ?`)
  const filter = db.prepare(
    `select ${columns} from field_keys join leads on leads.id = lead_id where field_id = ? and key = ? and lead_id > ? order by lead_id limit ?`,
  )
  const price = db.prepare('select price from leads where id = ?').pluck()
  const setPrice = db.prepare('update leads set price = ?, updated_at = ? where id = ?')
  const transaction = sharedCommits(db)

  const add = (leads: NewLead[]) => {
    const at = now()
    return leads.map(({ name, price, custom_fields_values = [] }) => {
      const values = JSON.stringify(custom_fields_values)
      const id = Number(insertLead.run(name, price, at, at, values).lastInsertRowid)
      insertEvent.run(1, id, at, '[{"note":{"id":1}}]', '[]')
      for (const { field_id, values } of custom_fields_values) {
        insertKey.run(field_id, values[0]?.value, id)
        insertEvent.run(24, id, at, JSON.stringify(values), '[]')
      }
      return id
    })
  }
  return {
    add: (leads) => transaction(() => add(leads)),
    change: (id, after) =>
      transaction(() => {
        const at = now()
        const before = price.get(id)
        setPrice.run(after, at, id)
        insertEvent.run(2, id, at, `[{"sale":${after}}]`, `[{"sale":${before}}]`)
      }),
    list: (after, limit) => list.all(after, limit) as StoredLead[],
    filter: (field_id, key, after, limit) => filter.all(field_id, key, after, limit) as StoredLead[],
    close: async () => void db.close(),
  }
}
