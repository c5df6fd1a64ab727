import { readInBackground } from '../../db/background-reads.ts'
import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, forUpdateAtOnce, isOneOf } from '../../db/dialect.ts'
import { prepared } from '../../db/prepared.ts'
import { insertRows, updateRows } from '../../db/row-sets.ts'
import type { ConversationRow } from '../../db/tables.ts'

/** The provider's id of a conversation. It is unique within a channel and an account. */
export interface ConversationKey {
  account_id: number
  channel_id: string
  external_id: string
}

const byKey = prepared((db, { account_id, channel_id, external_id }: ConversationKey) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('channel_id', '=', channel_id)
    .where('external_id', '=', external_id),
)

/** Finds a conversation by the provider's id. Index: conversations_by_external_id. */
export async function findConversation(db: Db, key: ConversationKey): Promise<ConversationRow | undefined> {
  const [row] = await byKey(db, key)
  return row
}

/** The existing conversations among these ids. Index: the primary key. */
export function findConversations(
  db: Db,
  account_id: number,
  ids: readonly string[],
): Promise<ConversationRow[]> {
  return db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
}

const byIdLocked = prepared((db, at: { account_id: number; id: string }) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('id', '=', at.id)
    .modifyEnd(forUpdate(db)),
)

/** Locks a conversation until the transaction ends. Every write to a conversation or its messages holds this lock. */
export async function lockConversation(
  tx: Tx,
  account_id: number,
  id: string,
): Promise<ConversationRow | undefined> {
  const [row] = await byIdLocked(tx, { account_id, id })
  return row
}

const latestOfLeadLocked = prepared((db, at: { account_id: number; lead_id: number }) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('lead_id', '=', at.lead_id)
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .modifyEnd(forUpdate(db)),
)

/** Locks the conversation of a lead that was active last. Index: conversations_by_lead. */
export async function lockConversationOfLead(
  tx: Tx,
  account_id: number,
  lead_id: number,
): Promise<ConversationRow | undefined> {
  const [row] = await latestOfLeadLocked(tx, { account_id, lead_id })
  return row
}

const ofMessages = (db: Db, at: { account_id: number; messages: readonly string[] }) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('chat_messages as message')
        .select('message.conversation_id')
        .where('message.account_id', '=', at.account_id)
        .where((inner) => isOneOf(db, inner.ref('message.id'), at.messages)),
    )
    .orderBy('id')

const ofMessagesLocked = prepared((db, at: { account_id: number; messages: readonly string[] }) =>
  ofMessages(db, at).modifyEnd(forUpdate(db, 'conversations')),
)

/** Locks the conversations of some messages. The order by id keeps two callers from a deadlock. */
export function lockConversationsOf(
  tx: Tx,
  account_id: number,
  messages: readonly string[],
): Promise<ConversationRow[]> {
  return ofMessagesLocked(tx, { account_id, messages })
}

/** Like lockConversationsOf, but fails at once if another transaction has one of them (`isLockConflict`). */
export async function lockConversationsAtOnce(
  tx: Tx,
  account_id: number,
  messages: readonly string[],
): Promise<void> {
  await ofMessages(tx, { account_id, messages }).modifyEnd(forUpdateAtOnce(tx, 'conversations')).execute()
}

/** The conversations of some contacts, latest activity first. Index: conversations_by_contact. */
export function conversationsOfContacts(
  db: Db,
  account_id: number,
  contact_ids: readonly number[],
  limit: number,
): Promise<ConversationRow[]> {
  return db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('contact_id'), contact_ids))
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * The ids of the conversations of some leads and contacts. Indexes: conversations_by_lead and conversations_by_contact,
 * in a union, because a planner does not use two indexes for an `or`.
 */
export function conversationIdsOf(
  db: Db,
  account_id: number,
  { leads, contacts }: { leads: readonly number[]; contacts: readonly number[] },
) {
  const idsOf = (name: 'lead_id' | 'contact_id', ids: readonly number[]) =>
    db
      .selectFrom('conversations as own')
      .select('own.id')
      .where('own.account_id', '=', account_id)
      .where((eb) => isOneOf(db, eb.ref(`own.${name}`), ids))
  return idsOf('lead_id', leads).union(idsOf('contact_id', contacts))
}

/** The ids of the conversations of some leads and contacts, in their order. */
export function conversationsOfRecords(
  db: Db,
  account_id: number,
  records: { leads: readonly number[]; contacts: readonly number[] },
): Promise<Pick<ConversationRow, 'id'>[]> {
  return conversationIdsOf(db, account_id, records).orderBy('id').execute()
}

export const insertConversation = (tx: Tx, row: ConversationRow): Promise<void> =>
  insertRows(tx, 'conversations', [row])

export const updateConversations = (
  tx: Tx,
  rows: (Pick<ConversationRow, 'account_id' | 'id'> & Partial<ConversationRow>)[],
): Promise<void> => updateRows(tx, 'conversations', ['account_id', 'id'], rows)

/** Moves the conversations and talks of merged records to the record that absorbed them. */
export async function moveToRecord(
  tx: Tx,
  account_id: number,
  from_ids: readonly number[],
  to: number,
  now: number,
): Promise<void> {
  // In the order of their ids, as everywhere: the updates would lock them in any order.
  for (const { id } of await conversationsOfRecords(tx, account_id, { leads: from_ids, contacts: from_ids }))
    await lockConversation(tx, account_id, id)
  for (const column of ['contact_id', 'lead_id'] as const) {
    await tx
      .updateTable('conversations')
      .set((eb) => ({ [column]: to, version: eb('version', '+', 1), changed_at: now }))
      .where('account_id', '=', account_id)
      .where((eb) => isOneOf(tx, eb.ref(column), from_ids))
      .execute()
    await tx
      .updateTable('talks')
      .set({ [column]: to, updated_at: now })
      .where('account_id', '=', account_id)
      .where((eb) => isOneOf(tx, eb.ref(column), from_ids))
      .execute()
  }
}

/** The records among these to which a conversation or a talk belongs; by their indexes on contacts and leads. */
export async function recordsWithConversations(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const found = (['conversations', 'talks'] as const).flatMap((table) =>
    (['contact_id', 'lead_id'] as const).map((column) =>
      readInBackground(
        db,
        account_id,
        db
          .selectFrom(table)
          .select(`${column} as id`)
          .distinct()
          .where('account_id', '=', account_id)
          .where((eb) => isOneOf(db, eb.ref(column), ids)),
      ),
    ),
  )
  return new Set((await Promise.all(found)).flat().map(({ id }) => id as number))
}
