import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { recordEvents } from '../../events/events.ts'
import { subjectOf } from '../messages/messages.ts'
import { sendMessage } from '../messages/send.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { listIntentRows, listLastAnswers } from './intent-queries.ts'
import { findIntent } from './phrases.ts'

/** So many answers in a row within so many seconds are enough: who writes on is a bot too, or waits for a person. */
const MOST_ANSWERS = 10
const WITHIN = 3_600
/** Among the last messages alone: what was written long before costs nothing to know. */
const LOOKED_BACK = 200

/**
 * Answers a text that has just come in when it speaks of an intent (C10), in the transaction of the push and in the
 * conversation that it has locked. Nobody wrote the answer; it is delivered as any other message out. Answers whether
 * there is one.
 */
export async function answerByBot(
  ctx: Context,
  tx: Tx,
  { cause, channel }: ChatCaller,
  conversation: ConversationRow,
  message: ChatMessageRow,
): Promise<boolean> {
  if (message.direction !== 'in' || message.type !== 'text') return false
  const intents = await listIntentRows(tx, message.account_id)
  const intent = intents.length > 0 ? findIntent(intents, message.text) : undefined
  if (!intent) return false
  const told = { ...(await subjectOf(tx, conversation)), after: [{ helpbot: { id: intent.id } }] }
  await recordEvents(ctx, tx, cause, [{ type: 'intent_identified', ...told }])
  // Nothing is sent to a channel that is stopped, and its pushes are taken all the same.
  if (channel.state !== 'active' || (await hasSaidEnough(ctx, tx, conversation))) return false
  await sendMessage(ctx, tx, cause, conversation, { text: intent.answer, origin: 'bot' })
  await recordEvents(ctx, tx, cause, [{ type: 'robot_replied', ...told }])
  return true
}

/** Two bots must not talk to each other for ever: it waits until a person of this side writes, or an hour has passed. */
async function hasSaidEnough(
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
