import type Sqlite from 'better-sqlite3'
import type { Channel, Store } from './push-rows.ts'
import { messageChange, types } from './row-values.ts'
import { openCopy } from './rows-sqlite.ts'
import { sharedCommits } from './shared-commits.ts'

interface Conversation {
  id: string
  sender_id: string
  talk_id: number
  contact_id: number
  lead_id: number
  last_position: number
}

/** The statements, with the constants as literals. */
const statementsFor = ({ account_id, channel_id }: Channel) => ({
  conversation: `select id, sender_id, talk_id, contact_id, lead_id, last_position from conversations
    where account_id = ${account_id} and channel_id = '${channel_id}' and external_id = ?`,
  message: `insert into chat_messages (account_id, id, conversation_id, position, talk_id, channel_id, direction, origin,
      user_id, sender_id, external_id, body_hash, type, text, content, state, sent_at, created_at)
    values (${account_id}, ?, ?, ?, ?, '${channel_id}', 'in', 'channel', 0, ?, ?, ?, 'text', ?, '{}', 'received', ?, ?)`,
  state: `update conversations set unread_count = unread_count + 1, last_position = ?, last_message_id = ?, last_message_at = ?,
      version = version + 1, changed_at = ?
    where account_id = ${account_id} and id = ?`,
  event: `insert into events (account_id, id, type, entity_type, entity_id, created_by, created_at, value_after, value_before,
      talk_contact_id, card_id, request_id)
    values (${account_id}, ?, ${types.message}, 'lead', ?, 0, ?, ?, '[]', ?, ?, ?)`,
})

/** Transactions of one turn of the event loop share a commit. */
export async function openSqlite(file: string, channel: Channel): Promise<Store> {
  const db = openCopy(file)
  const { conversation, message, state, event } = statementsFor(channel)
  const find = db.prepare(conversation)
  const [addMessage, changeState, addEvent] = [message, state, event].map((sql) => db.prepare(sql)) as [
    Sqlite.Statement,
    Sqlite.Statement,
    Sqlite.Statement,
  ]
  const transaction = sharedCommits(db)
  return {
    add: (draft, { id: request_id, at }) =>
      transaction(() => {
        const { id, event_id, msgid, text, sent_at, body_hash } = draft
        const found = find.get(draft.conversation) as Conversation
        const { id: conversation_id, sender_id, talk_id, contact_id, lead_id } = found
        const position = found.last_position + 1
        addMessage.run(id, conversation_id, position, talk_id, sender_id, msgid, body_hash, text, sent_at, at)
        changeState.run(position, id, at, at, conversation_id)
        const change = messageChange(id, talk_id, channel.channel_id)
        addEvent.run(event_id, lead_id, at, change, contact_id, contact_id, request_id)
        return { conversation_id, sender_id }
      }),
    close: async () => void db.close(),
  }
}
