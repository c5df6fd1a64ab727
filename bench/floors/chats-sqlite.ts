import Sqlite from 'better-sqlite3'
import type { NewMessage, Store } from './chats.ts'
import { sharedCommits } from './shared-commits.ts'

const tables = `
  create table if not exists messages (
    id text primary key, conversation_id text not null, msgid text not null unique, text text not null,
    sent_at integer not null) strict, without rowid;
  create index if not exists messages_by_conversation on messages (conversation_id, sent_at);
  create table if not exists events (
    id integer primary key, type integer not null, message_id text not null, created_at integer not null) strict;`

/** WAL with synchronous=FULL. Transactions of one turn of the event loop share a commit. */
export async function openSqlite(file: string): Promise<Store> {
  const db = new Sqlite(file, { timeout: 5_000 })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(tables)
  const insertMessage = db.prepare('insert into messages values (?, ?, ?, ?, ?)')
  const insertEvent = db.prepare('insert into events (type, message_id, created_at) values (1, ?, ?)')
  const transaction = sharedCommits(db)
  const add = ({ id, conversation_id, msgid, text, sent_at }: NewMessage) => {
    insertMessage.run(id, conversation_id, msgid, text, sent_at)
    insertEvent.run(id, sent_at)
  }
  return { add: (message) => transaction(() => add(message)), close: async () => void db.close() }
}
