import pg from 'pg'
import type { Store } from './chats.ts'

const tables = `
  create table if not exists messages (
    id text primary key, conversation_id text not null, msgid text not null unique, text text not null,
    sent_at bigint not null);
  create index if not exists messages_by_conversation on messages (conversation_id, sent_at);
  create table if not exists events (
    id bigint primary key generated always as identity, type bigint not null, message_id text not null,
    created_at bigint not null);`

const statements = {
  message: 'insert into messages values ($1, $2, $3, $4, $5)',
  event: 'insert into events (type, message_id, created_at) values (1, $1, $2)',
}

/** Ten pooled connections, with every statement prepared once on each. */
export async function openPostgres(connectionString: string): Promise<Store> {
  const pool = new pg.Pool({ connectionString, max: 10 })
  await pool.query(tables)
  return {
    add: async ({ id, conversation_id, msgid, text, sent_at }) => {
      const client = await pool.connect()
      const run = (name: keyof typeof statements, values: unknown[]) =>
        client.query({ name, text: statements[name], values })
      try {
        await client.query('begin')
        await run('message', [id, conversation_id, msgid, text, sent_at])
        await run('event', [id, sent_at])
        await client.query('commit')
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}
