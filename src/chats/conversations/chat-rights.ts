import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, cachedBriefly } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { ConversationRow } from '../../db/tables.ts'
import {
  type Access,
  can,
  findEntities,
  insufficientRights,
  isLiveRecord,
  loadAccess,
  notFound,
  type RecordRight,
  recordVisibilities,
  seesAll,
} from '../../entities/entities.ts'
import { findConversations, lockConversation } from './conversation-queries.ts'

/**
 * A chat belongs to its lead while the lead is live, else to its contact. A user who may view that record sees the
 * chat; a user who may edit it writes in the chat.
 */
export interface ChatReader {
  access: Access
  /** The condition on rows of `conversations` that the user may see; null if they see all. */
  seen: Expression<SqlBool> | null
  /** The same for contacts: a hidden contact's name finds no chat. */
  contact_seen: Expression<SqlBool> | null
  /** The condition on a column with the id of a lead that the user may see; null if they see all. */
  leadSeen(id_column: string): Expression<SqlBool> | null
  /** The records that the user can see; null if there are many, or no limit. */
  few(): Promise<{ leads: number[]; contacts: number[] } | null>
}

/** More records than this are many. */
const FEW = 1_000

export async function chatReader(db: Db, actor: Actor): Promise<ChatReader> {
  const access = await loadAccess(db, actor)
  if (seesAllChats(access))
    return { access, seen: null, contact_seen: null, leadSeen: () => null, few: async () => null }
  const visibilities = await recordVisibilities(db, access)
  const limitOf = (kind: string) =>
    visibilities.find(({ entity_type }) => entity_type === kind)?.limit ?? null
  const [lead, contact] = [limitOf('lead'), limitOf('contact')]
  const all = sql<SqlBool>`true`
  const contact_seen = contact?.covers('conversations.contact_id') ?? null
  const seen = sql<SqlBool>`(case when ${isLiveRecord(db, actor.account_id, 'leads', 'conversations.lead_id')}
    then ${lead?.covers('conversations.lead_id') ?? all}
    else ${contact_seen ?? all} end)`
  const few = async () => {
    const [leads, contacts] = [await lead?.few(FEW), await contact?.few(FEW)]
    return leads && contacts ? { leads, contacts } : null
  }
  return { access, seen, contact_seen, leadSeen: (column) => lead?.covers(column) ?? null, few }
}

/** Whether the user sees all chats, so that a missing chat is no secret. */
const seesAllChats = (access: Access): boolean => seesAll(access, 'leads') && seesAll(access, 'contacts')

/** The rights of a client that follows the stream. They are read again while it does. */
export interface ChatReaders {
  /** Throws what a new request of the client would get. */
  current(): Promise<ChatReader>
}

export function chatReaders(ctx: Context, ask: () => Promise<Actor>): ChatReaders {
  return { current: cachedBriefly(ctx, async () => chatReader(ctx.db, await ask())) }
}

/** A chat that the user may see, else Refusal('not_found'). */
export async function visibleChat(db: Db, { access }: ChatReader, id: string): Promise<ConversationRow> {
  const [conversation] = await findConversations(db, access.actor.account_id, [id])
  if (!conversation || !(await canOn(db, access, 'view', conversation))) throw notFound()
  return conversation
}

/**
 * Locks a chat that the user may change. Otherwise throws 'forbidden', also for an unknown id, unless the user sees
 * all chats.
 */
export async function requireChat(tx: Tx, actor: Actor, id: string): Promise<ConversationRow> {
  const access = await loadAccess(tx, actor)
  const conversation = await lockConversation(tx, actor.account_id, id)
  if (conversation && (await canOn(tx, access, 'edit', conversation))) return conversation
  if (conversation || !seesAllChats(access)) throw insufficientRights()
  throw notFound()
}

async function canOn(
  db: Db,
  access: Access,
  right: RecordRight,
  { account_id, lead_id, contact_id }: ConversationRow,
): Promise<boolean> {
  const [lead] = lead_id === null ? [] : await findEntities(db, account_id, 'leads', [lead_id])
  if (lead && lead.is_deleted === 0) return can(access, right, lead)
  const [contact] = await findEntities(db, account_id, 'contacts', [contact_id])
  // A chat without a contact (C14) is visible to users who see all chats.
  if (!contact) return right === 'view' && seesAllChats(access)
  return can(access, right, contact)
}
