import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { recordEvents } from '../../events/events.ts'
import { type ChatSubject, subjectOf } from '../conversations/conversation-changes.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { listIntentRows, listLastAnswers } from './intent-queries.ts'
import { findIntent } from './phrases.ts'

/** The bot stops after this many answers in a row within WITHIN seconds: the sender is a bot too, or waits for a user. */
const MOST_ANSWERS = 10
const WITHIN = 3_600
/** Only the last messages are read, so that a long conversation costs no more. */
const LOOKED_BACK = 200

/** The answer of the bot, and the subject and value of its events. */
export interface Reply {
  text: string
  event: ChatSubject & { after: [{ helpbot: { id: number } }] }
}

/**
 * Finds the intent of a text that was just received in a locked conversation, records it, and returns the answer (C10);
 * undefined if the bot stays silent.
 */
export async function chooseReply(
  ctx: Context,
  tx: Tx,
  { cause, channel }: ChatCaller,
  conversation: ConversationRow,
  message: ChatMessageRow,
): Promise<Reply | undefined> {
  if (message.direction !== 'in' || message.type !== 'text' || isStopped(conversation)) return undefined
  const intents = await listIntentRows(tx, message.account_id)
  const intent = intents.length > 0 ? findIntent(intents, message.text) : undefined
  if (!intent) return undefined
  const event: Reply['event'] = {
    ...(await subjectOf(tx, conversation)),
    after: [{ helpbot: { id: intent.id } }],
  }
  await recordEvents(ctx, tx, cause, [{ type: 'intent_identified', ...event }])
  // A stopped channel still takes pushes, but nothing can be sent to it.
  if (channel.state !== 'active' || (await hasAnsweredEnough(ctx, tx, conversation))) return undefined
  return { text: intent.answer, event }
}

/** Whether somebody has stopped the bot in the present talk (C18). */
export const isStopped = ({ bot_stopped_talk_id, talk_id }: ConversationRow): boolean =>
  bot_stopped_talk_id === talk_id

/** Keeps two bots from answering each other for ever. A message of a user, or an hour without answers, resets it. */
async function hasAnsweredEnough(
  ctx: Context,
  tx: Tx,
  { account_id, id, last_position }: ConversationRow,
): Promise<boolean> {
  const answers = await listLastAnswers(tx, {
    account_id,
    conversation_id: id,
    position: last_position - LOOKED_BACK,
    limit: MOST_ANSWERS,
  })
  const since = ctx.now() - WITHIN
  return (
    answers.length === MOST_ANSWERS &&
    answers.every(({ user_id, created_at }) => user_id === 0 && created_at > since)
  )
}
