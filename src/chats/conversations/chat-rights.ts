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
 * Whose chats these are: a chat is its lead's while the lead stands, else its contact's. Who may view that record sees
 * the chat, and who may edit it writes in it.
 */
export interface ChatReader {
  access: Access
  /** The condition on rows of `conversations` that he may see; null when he sees all of them. */
  seen: Expression<SqlBool> | null
  /** The same of their contacts: who may not see a contact finds no chat by its name. */
  contact_seen: Expression<SqlBool> | null
  /** The records whose chats he may see at all; null when they are many, or all. */
  few(): Promise<{ leads: number[]; contacts: number[] } | null>
}

/** How many records of a kind are few. */
const FEW = 1_000

export async function chatReader(db: Db, actor: Actor): Promise<ChatReader> {
  const access = await loadAccess(db, actor)
  if (seesAllChats(access)) return { access, seen: null, contact_seen: null, few: async () => null }
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
  return { access, seen, contact_seen, few }
}

/** Whether no chat is hidden from him: then the absence of one is no secret. */
export const seesAllChats = (access: Access): boolean =>
  seesAll(access, 'leads') && seesAll(access, 'contacts')

/** Who follows chats for longer than a moment: what he may see is asked anew while he does. */
export interface ChatReaders {
  /** Throws as a new request of his would be refused. */
  current(): Promise<ChatReader>
}

export function chatReaders(ctx: Context, ask: () => Promise<Actor>): ChatReaders {
  return { current: cachedBriefly(ctx, async () => chatReader(ctx.db, await ask())) }
}

/** The chat when he may see it, else Refusal('not_found'). */
export async function visibleChat(db: Db, { access }: ChatReader, id: string): Promise<ConversationRow> {
  const [conversation] = await findConversations(db, access.actor.account_id, [id])
  if (!conversation || !(await mayOn(db, access, 'view', conversation))) throw notFound()
  return conversation
}

/**
 * The chat, locked, when he may change it. Else it is forbidden, and so is an id that does not exist, unless he sees
 * everything: then it is not found (R6).
 */
export async function requireChat(tx: Tx, actor: Actor, id: string): Promise<ConversationRow> {
  const access = await loadAccess(tx, actor)
  const conversation = await lockConversation(tx, actor.account_id, id)
  if (conversation && (await mayOn(tx, access, 'edit', conversation))) return conversation
  if (conversation || !seesAllChats(access)) throw insufficientRights()
  throw notFound()
}

async function mayOn(
  db: Db,
  access: Access,
  right: RecordRight,
  { account_id, lead_id, contact_id }: ConversationRow,
): Promise<boolean> {
  const [lead] = lead_id === null ? [] : await findEntities(db, account_id, 'leads', [lead_id])
  if (lead && lead.is_deleted === 0) return can(access, right, lead)
  const [contact] = await findEntities(db, account_id, 'contacts', [contact_id])
  // A chat that nobody has a record of yet (C14) is hidden from nobody who sees all.
  if (!contact) return right === 'view' && seesAllChats(access)
  return can(access, right, contact)
}
