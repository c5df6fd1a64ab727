import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatBotRow, ConversationRow } from '../../db/tables.ts'
import { can, findEntities, loadAccess } from '../../entities/entities.ts'
import { collectFaults, noSuch } from '../../errors.ts'
import { isStopped } from '../bot/bot.ts'
import { listBotRows } from '../bot/bot-queries.ts'
import { changeConversation } from '../conversations/conversation-changes.ts'
import { conversationsOfRecords, lockConversation } from '../conversations/conversation-queries.ts'
import { sendMessage } from '../messages/send.ts'
import type { BotRun } from './bot-schemas.ts'

/** A record whose conversations a bot is run or stopped in. */
interface Target {
  bot: ChatBotRow
  type: TargetType
  id: number
}
type TargetType = 'leads' | 'contacts' | 'customers'

const typesByNumber: Record<string, TargetType> = { 1: 'contacts', 2: 'leads', 12: 'customers' }

/**
 * Runs bots for records (C18): they answer again in the conversations of the records, and send their greeting in the
 * one that was active last. All or none.
 */
export function runBots(ctx: Context, actor: Actor, runs: readonly BotRun[]): Promise<void> {
  return inConversations(ctx, actor, runs, async (tx, { bot }, conversations) => {
    for (const conversation of conversations)
      if (isStopped(conversation))
        await changeConversation(ctx, tx, conversation, { bot_stopped_talk_id: null })
    const [latest] = conversations
    if (!latest || bot.greeting.trim() === '') return
    // The bot writes as nobody.
    const by = { account_id: actor.account_id, user_id: 0, request_id: actor.request_id }
    await sendMessage(ctx, tx, by, latest, { text: bot.greeting, origin: 'bot' })
    ctx.queued.ringAfterCommit()
  })
}

/** Stops bots for records: they are silent in the present talk of each conversation. */
export function stopBots(ctx: Context, actor: Actor, runs: readonly BotRun[]): Promise<void> {
  return inConversations(ctx, actor, runs, async (tx, _target, conversations) => {
    for (const conversation of conversations)
      if (!isStopped(conversation))
        await changeConversation(ctx, tx, conversation, { bot_stopped_talk_id: conversation.talk_id })
  })
}

/** Passes the conversations of each record, locked, the one that was active last first. */
function inConversations(
  ctx: Context,
  actor: Actor,
  runs: readonly BotRun[],
  act: (tx: Tx, target: Target, conversations: ConversationRow[]) => Promise<void>,
): Promise<void> {
  return ctx.db.transaction().execute(async (tx) => {
    const targets = await targetsOf(tx, actor, runs)
    const locked = await lockAll(tx, actor.account_id, targets)
    for (const target of targets) await act(tx, target, locked.filter(isOf(target)))
  })
}

const isOf =
  ({ type, id }: Target) =>
  ({ lead_id, contact_id }: ConversationRow): boolean =>
    (type === 'leads' && lead_id === id) || (type === 'contacts' && contact_id === id)

/** In the order of their ids, as everywhere. */
async function lockAll(tx: Tx, account_id: number, targets: readonly Target[]): Promise<ConversationRow[]> {
  const idsOf = (of: TargetType) => [
    ...new Set(targets.filter(({ type }) => type === of).map(({ id }) => id)),
  ]
  const records = { leads: idsOf('leads'), contacts: idsOf('contacts') }
  if (records.leads.length + records.contacts.length === 0) return []
  const locked: ConversationRow[] = []
  for (const { id } of await conversationsOfRecords(tx, account_id, records)) {
    const row = await lockConversation(tx, account_id, id)
    if (row) locked.push(row)
  }
  return locked.sort((a, b) => b.last_message_at - a.last_message_at || (a.id < b.id ? 1 : -1))
}

/** Throws Refusal('invalid') for unknown bots and for records that the actor cannot edit. */
async function targetsOf(tx: Tx, actor: Actor, runs: readonly BotRun[]): Promise<Target[]> {
  const bots = new Map((await listBotRows(tx, actor.account_id)).map((bot) => [bot.id, bot]))
  const editable = await editableRecords(tx, actor, runs)
  const { about, refuse } = collectFaults()
  const targets = runs.flatMap((run, i): Target[] => {
    const add = about(String(i))
    const bot = bots.get(Number(run.bot_id))
    const type = typeOf(run)
    const id = Number(run.entity_id)
    if (!bot) add('NotSupportedChoice', 'bot_id', noSuch('bot'))
    if (!type)
      add(
        'NotSupportedChoice',
        'entity_type',
        'The value should be 1, 2 or 12, or leads, contacts or customers.',
      )
    else if (!editable.has(`${type} ${id}`)) add('NotSupportedChoice', 'entity_id', noSuch('record'))
    return bot && type ? [{ bot, type, id }] : []
  })
  refuse()
  // A record that is named twice is greeted once.
  return [...new Map(targets.map((target) => [`${target.type} ${target.id}`, target])).values()]
}

const typeOf = ({ entity_type }: BotRun): TargetType | undefined =>
  targetTypes.find((type) => type === entity_type) ?? typesByNumber[String(entity_type)]

const targetTypes = ['leads', 'contacts', 'customers'] as const

async function editableRecords(tx: Tx, actor: Actor, runs: readonly BotRun[]): Promise<Set<string>> {
  const access = await loadAccess(tx, actor)
  const editable = new Set<string>()
  for (const type of targetTypes) {
    const ids = [...new Set(runs.filter((run) => typeOf(run) === type).map((run) => Number(run.entity_id)))]
    if (ids.length === 0) continue
    for (const row of await findEntities(tx, actor.account_id, type, ids))
      if (row.is_deleted === 0 && can(access, 'edit', row)) editable.add(`${type} ${row.id}`)
  }
  return editable
}
