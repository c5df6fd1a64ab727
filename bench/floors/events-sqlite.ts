import Sqlite from 'better-sqlite3'
import { eventTypes } from '../../src/events/event-types.ts'
import { noteText, now, type Store, type StoredNote } from './events.ts'
import { sharedCommits } from './shared-commits.ts'

const tables = `
  create table if not exists event_texts (id text primary key, text text not null) strict, without rowid;
  create table if not exists note_texts (id integer primary key, text text not null) strict;
  create table if not exists notes (
    id integer primary key, entity_id integer not null, note_type text not null, params text not null,
    responsible_user_id integer not null, created_by integer not null, updated_by integer not null,
    created_at integer not null, updated_at integer not null) strict;
  create table if not exists events (
    id integer primary key, type integer not null, entity_id integer not null, created_by integer not null,
    created_at integer not null, value_after text not null, value_before text not null) strict;`

/** WAL with synchronous=FULL. Transactions of one turn of the event loop share a commit. */
export async function openSqlite(file: string): Promise<Store> {
  const db = new Sqlite(file, { timeout: 5_000 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('cache_size = -65536')
  db.exec(tables)
  const insertEventText = db.prepare('insert into event_texts values (?, ?)')
  const insertNoteText = db.prepare('insert into note_texts values (?, ?)')
  const insertNote = db.prepare('insert into notes values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertEvent = db.prepare('insert into events values (null, ?, ?, 1, ?, ?, ?)')
  const events = db.prepare('select text from event_texts order by id desc limit ?').pluck()
  const notes = db.prepare('select text from note_texts where id > 0 order by id limit ?').pluck()
  const noteRows = db.prepare('select * from notes where id > 0 order by id limit ?')
  const transaction = sharedCommits(db)
  return {
    fill: async (events, notes) => {
      db.transaction(() => {
        for (const { id, text } of events) insertEventText.run(id, text)
        for (const row of notes) {
          insertNoteText.run(row.id, noteText(row))
          const { id, entity_id, note_type, params, responsible_user_id: responsible, ...rest } = row
          const { created_by, updated_by, created_at, updated_at } = rest
          const times = [created_at, updated_at]
          insertNote.run(id, entity_id, note_type, params, responsible, created_by, updated_by, ...times)
        }
      })()
    },
    events: (limit) => events.all(limit) as string[],
    notes: (limit) => notes.all(limit) as string[],
    noteRows: (limit) => noteRows.all(limit) as StoredNote[],
    add: (notes) =>
      transaction(() => {
        const at = now()
        return notes.map(({ entity_id, note_type, params }) => {
          const text = JSON.stringify(params)
          const id = Number(insertNote.run(null, entity_id, note_type, text, 1, 1, 1, at, at).lastInsertRowid)
          insertEvent.run(eventTypes.common_note_added.number, entity_id, at, `[{"note":{"id":${id}}}]`, '[]')
          return id
        })
      }),
    close: async () => void db.close(),
  }
}
