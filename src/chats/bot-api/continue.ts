import { type Actor, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ConversationRow } from '../../db/tables.ts'
import { type AddFault, collectFaults, Refusal } from '../../errors.ts'
import { isStopped } from '../bot/bot.ts'
import { listBotRows } from '../bot/bot-queries.ts'
import { lockConversation } from '../conversations/conversation-queries.ts'
import { findMessage } from '../messages/message-queries.ts'
import { sendMessage } from '../messages/send.ts'
import { isUuid } from '../scopes/channel-queries.ts'
import type { Handler } from './continue-schemas.ts'

/**
 * Lets an integration speak as the bot in a conversation that waits for an answer (C19): its last message is the
 * customer's, its talk is open, and the bot is not stopped. Throws Refusal('not_found') if nothing waits.
 */
export async function continueBot(
  ctx: Context,
  actor: Actor,
  { bot_id, continue_id }: { bot_id: number; continue_id: string },
  handlers: readonly Handler[],
): Promise<void> {
  requireAdmin(actor)
  const texts = textsOf(handlers)
  await ctx.db.transaction().execute(async (tx) => {
    const bots = await listBotRows(tx, actor.account_id)
    const conversation = await waitingConversation(tx, actor, continue_id.toLowerCase())
    if (!conversation || !bots.some(({ id }) => id === bot_id)) throw nothingWaits()
    const by = { account_id: actor.account_id, user_id: 0, request_id: actor.request_id }
    for (const text of texts) await sendMessage(ctx, tx, by, conversation, { text, origin: 'bot' })
    if (texts.length > 0) ctx.queued.ringAfterCommit()
  })
}

/** The conversation, locked, whose last message this is. */
async function waitingConversation(
  tx: Tx,
  { account_id }: Actor,
  message_id: string,
): Promise<ConversationRow | undefined> {
  const message = isUuid(message_id) ? await findMessage(tx, account_id, message_id) : undefined
  if (message?.direction !== 'in') return undefined
  const conversation = await lockConversation(tx, account_id, message.conversation_id)
  if (conversation?.last_message_id !== message.id || conversation.is_in_work === 0) return undefined
  return isStopped(conversation) ? undefined : conversation
}

/** In the words of the platform. */
const nothingWaits = (): Refusal => new Refusal('not_found', 'There is no continue record with id')

/** The messages that the handlers show, up to the end. */
function textsOf(handlers: readonly Handler[]): string[] {
  const { about, refuse } = collectFaults()
  const add = about('0')
  const texts = handlers.map((handler, i) =>
    textOf(handler, (code, path, detail) => add(code, `execute_handlers.${i}.params.${path}`, detail)),
  )
  refuse()
  const end = handlers.findIndex(({ handler }) => handler === 'goto')
  return texts.slice(0, end < 0 ? texts.length : end)
}

const shown: readonly string[] = ['text', 'buttons', 'buttons_url']

/** Channels have no buttons, so each is a line of the text. */
function textOf({ handler, params: { type, value = '', buttons = [] } }: Handler, add: AddFault): string {
  if (handler === 'goto') {
    if (type !== 'finish')
      add('NotSupportedChoice', 'type', 'The reply bot has no steps. The value should be finish.')
    return ''
  }
  if (!shown.includes(type))
    add('NotSupportedChoice', 'type', `The value should be one of: ${shown.join(', ')}.`)
  if (value.trim() === '') add('NotBlank', 'value', 'This value should not be blank.')
  if (type !== 'text' && buttons.length === 0) add('FieldMissing', 'buttons', 'This field is missing.')
  return [value, ...(type === 'text' ? [] : buttons)].join('\n')
}
