import { activeMembers } from '../../accounts/accounts.ts'
import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, isOneOf } from '../../db/dialect.ts'
import { prepared } from '../../db/prepared.ts'
import { insertRows, updateRows } from '../../db/row-sets.ts'
import type { ChatMessageRow, ConversationRow, TalkRow } from '../../db/tables.ts'
import { isLiveRecord, stageIfLive } from '../../entities/entities.ts'

/** What a provider calls a conversation. */
export interface ConversationName {
  account_id: number
  channel_id: string
  external_id: string
}

const byName = (db: Db, { account_id, channel_id, external_id }: ConversationName) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('channel_id', '=', channel_id)
    .where('external_id', '=', external_id)

const named = prepared(byName)
const namedAndLocked = prepared((db, name: ConversationName) => byName(db, name).modifyEnd(forUpdate(db)))

/** A conversation by the provider's id for it; by conversations_by_external_id. */
export async function findConversation(
  db: Db,
  account_id: number,
  channel_id: string,
  external_id: string,
): Promise<ConversationRow | undefined> {
  const [row] = await named(db, { account_id, channel_id, external_id })
  return row
}

/** The same, locked until the transaction ends. */
export async function lockNamedConversation(
  tx: Tx,
  name: ConversationName,
): Promise<ConversationRow | undefined> {
  const [row] = await namedAndLocked(tx, name)
  return row
}

/** Whom and what a push is about, as far as it is known. */
interface Named {
  account_id: number
  channel_id: string
  msgid: string
  sender: string
  talk_id: number
  contact_id: number
  lead_id: number
}

/** One of the intents that the reply bot listens for, if there are any. */
const anIntent = (db: Db, account_id: number) =>
  db
    .selectFrom('chat_intents as intent')
    .select('intent.id')
    .where('intent.account_id', '=', account_id)
    .limit(1)

const around = [
  'message.id as message_id',
  'message.conversation_id as message_conversation_id',
  'message.body_hash as message_hash',
  'talk.closed_at as talk_closed_at',
  'sender.id as known_id',
  'sender.ref_id as known_ref_id',
  'sender.name as known_name',
  'sender.avatar as known_avatar',
  'sender.profile_link as known_profile_link',
  'sender.phone as known_phone',
  'sender.email as known_email',
  'sender.created_at as known_created_at',
  'sender.updated_at as known_updated_at',
] as const

/** The connection of the channel, and beside it the message of this name and the sender, each by a whole key. */
const namedByPush = (db: Db, at: Pick<Named, 'account_id' | 'channel_id' | 'msgid' | 'sender'>) =>
  db
    .selectFrom('channel_connections as here')
    .leftJoin('chat_messages as message', (join) =>
      join
        .onRef('message.account_id', '=', 'here.account_id')
        .onRef('message.channel_id', '=', 'here.channel_id')
        .on('message.external_id', '=', at.msgid),
    )
    .leftJoin('chat_senders as sender', (join) =>
      join
        .onRef('sender.account_id', '=', 'here.account_id')
        .onRef('sender.channel_id', '=', 'here.channel_id')
        .on('sender.external_id', '=', at.sender),
    )
    .where('here.account_id', '=', at.account_id)
    .where('here.channel_id', '=', at.channel_id)

/**
 * Everything that a push has to know of what is there, in one look-up, each by a whole key: the message of this name, the
 * sender, the talk, and the stages of the contact (0) and of the lead, null for what does not stand any more. Nothing at
 * all when the account is not connected any more. Comes after the conversation was locked: what it waited for is seen.
 */
const surroundings = prepared((db, at: Named) =>
  namedByPush(db, at)
    .leftJoin('talks as talk', (join) =>
      join.onRef('talk.account_id', '=', 'here.account_id').on('talk.id', '=', at.talk_id),
    )
    .select([
      ...around,
      stageIfLive(db, 'here.account_id', 'contacts', at.contact_id).as('contact_stage'),
      stageIfLive(db, 'here.account_id', 'leads', at.lead_id).as('lead_stage'),
      anIntent(db, at.account_id).as('an_intent'),
    ]),
)

export async function findSurroundings(db: Db, at: Named) {
  const [row] = await surroundings(db, at)
  if (!row) return undefined
  const { contact_stage, lead_stage, an_intent, ...rest } = row
  const has = { has_contact: contact_stage !== null, has_lead: lead_stage !== null }
  return { ...rest, ...has, has_intents: an_intent !== null }
}

export type Surroundings = NonNullable<Awaited<ReturnType<typeof findSurroundings>>>

/**
 * The same and the conversation, which is locked, in one statement: most pushes go on with one that is there. What the
 * statement waited for it does not see, so it asks besides which version of the conversation it began with: whoever
 * changes something under that lock counts it up.
 */
const knownAndLocked = prepared((db, at: ConversationName & Pick<Named, 'msgid' | 'sender'>) =>
  namedByPush(db, at)
    .innerJoin('conversations as conversation', (join) =>
      join
        .onRef('conversation.account_id', '=', 'here.account_id')
        .onRef('conversation.channel_id', '=', 'here.channel_id')
        .on('conversation.external_id', '=', at.external_id),
    )
    .leftJoin('talks as talk', (join) =>
      join.onRef('talk.account_id', '=', 'here.account_id').onRef('talk.id', '=', 'conversation.talk_id'),
    )
    .selectAll('conversation')
    .select((eb) => [
      ...around,
      isLiveRecord(db, at.account_id, 'contacts', 'conversation.contact_id').as('has_contact'),
      isLiveRecord(db, at.account_id, 'leads', 'conversation.lead_id').as('has_lead'),
      anIntent(db, at.account_id).as('an_intent'),
      eb
        .selectFrom('conversations as begun')
        .select('begun.version')
        .where('begun.account_id', '=', at.account_id)
        .whereRef('begun.id', '=', 'conversation.id')
        .as('begun_version'),
    ])
    .modifyEnd(forUpdate(db, 'conversation')),
)

/** Undefined where there is no such conversation, and where it was changed meanwhile: what is around it may be other. */
export async function lockKnown(
  tx: Tx,
  at: Parameters<typeof knownAndLocked>[1],
): Promise<{ conversation: ConversationRow; found: Surroundings } | undefined> {
  const [row] = await knownAndLocked(tx, at)
  if (!row || row.version !== row.begun_version) return undefined
  const { begun_version, an_intent, has_contact, has_lead, ...rest } = row
  const { message_id, message_conversation_id, message_hash, talk_closed_at, ...others } = rest
  const { known_id, known_ref_id, known_name, known_avatar, known_profile_link, ...last } = others
  const { known_phone, known_email, known_created_at, known_updated_at, ...conversation } = last
  const found: Surroundings = {
    ...{ message_id, message_conversation_id, message_hash, talk_closed_at },
    ...{ known_id, known_ref_id, known_name, known_avatar, known_profile_link, known_phone, known_email },
    ...{ known_created_at, known_updated_at },
    ...{ has_contact: Boolean(has_contact), has_lead: Boolean(has_lead), has_intents: an_intent !== null },
  }
  return { conversation, found }
}

/** The conversations of some contacts, the latest activity first; by conversations_by_contact. */
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

export const insertConversation = (tx: Tx, row: ConversationRow): Promise<void> =>
  insertRows(tx, 'conversations', [row])

export const insertTalk = (tx: Tx, row: TalkRow): Promise<void> => insertRows(tx, 'talks', [row])

export const updateTalk = (
  tx: Tx,
  row: Pick<TalkRow, 'account_id' | 'id'> & Partial<TalkRow>,
): Promise<void> => updateRows(tx, 'talks', ['account_id', 'id'], [row])

/** Hangs the conversations and talks of some records on the one that they became part of. */
export async function moveToRecord(
  tx: Tx,
  account_id: number,
  from_ids: readonly number[],
  to: number,
  now: number,
): Promise<void> {
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

/** A message that the provider pushed here, by its id or by the provider's. */
export function findPushed(
  db: Db,
  { account_id, channel_id }: Omit<ConversationName, 'external_id'>,
  by: { id?: string | null | undefined; msgid?: string | null | undefined },
): Promise<ChatMessageRow | undefined> {
  return db
    .selectFrom('chat_messages')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('channel_id', '=', channel_id)
    .where('origin', '=', 'channel')
    .$if(!!by.id, (query) => query.where('id', '=', by.id as string))
    .$if(!!by.msgid, (query) => query.where('external_id', '=', by.msgid as string))
    .executeTakeFirst()
}

/** The active member who is called so in chats. */
export function findMemberByAmojoId(db: Db, account_id: number, amojo_id: string) {
  return activeMembers(db)
    .where('members.account_id', '=', account_id)
    .where('users.amojo_id', '=', amojo_id)
    .executeTakeFirst()
}

/** The administrator who has been there the longest; an account keeps one at least. */
export function findFirstAdministrator(db: Db, account_id: number) {
  return activeMembers(db)
    .where('members.account_id', '=', account_id)
    .where('members.is_admin', '=', 1)
    .orderBy('members.user_id')
    .limit(1)
    .executeTakeFirstOrThrow()
}
