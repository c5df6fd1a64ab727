import pg from 'pg'
import type { Channel, Store } from './push-rows.ts'
import { messageChange, types } from './row-values.ts'

/** One statement, which is a transaction of its own, with the constants as literals. */
const statementFor = ({ account_id, channel_id }: Channel) => `
  with chat as (
    select id, sender_id, talk_id, contact_id, lead_id, last_position + 1 as position from conversations
    where account_id = ${account_id} and channel_id = '${channel_id}' and external_id = $3 for update),
  message as (
    insert into chat_messages (account_id, id, conversation_id, position, talk_id, channel_id, direction, origin,
      user_id, sender_id, external_id, body_hash, type, text, content, state, sent_at, created_at)
    select ${account_id}, $1, id, position, talk_id, '${channel_id}', 'in', 'channel',
      0, sender_id, $4, $7, 'text', $5, '{}', 'received', $6, $8 from chat),
  state as (
    update conversations set unread_count = unread_count + 1, last_position = position, last_message_id = $1,
      last_message_at = $8, version = version + 1, changed_at = $8
    from chat where account_id = ${account_id} and conversations.id = chat.id),
  event as (
    insert into events (account_id, id, type, entity_type, entity_id, created_by, created_at, value_after, value_before,
      talk_contact_id, card_id, request_id)
    select ${account_id}, $2, ${types.message}, 'lead', lead_id, 0, $8,
      replace(replace('${messageChange('ID', 'TALK', channel_id)}', 'ID', $1), 'TALK', talk_id::text), '[]',
      contact_id, contact_id, $9 from chat)
  select id, sender_id from chat`

/** Ten pooled connections, with the statement prepared once on each. */
export async function openPostgres(connectionString: string, channel: Channel): Promise<Store> {
  const pool = new pg.Pool({ connectionString, max: 10 })
  const text = statementFor(channel)
  return {
    add: async (draft, by) => {
      const { id, event_id, conversation, msgid, sent_at, body_hash } = draft
      const values = [id, event_id, conversation, msgid, draft.text, sent_at, body_hash, by.at, by.id]
      const { rows } = await pool.query({ name: 'push', text, values })
      const [{ id: conversation_id, sender_id }] = rows
      return { conversation_id, sender_id }
    },
    close: () => pool.end(),
  }
}
