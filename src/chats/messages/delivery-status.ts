import type { Context } from '../../context.ts'
import type { ChatMessageRow } from '../../db/tables.ts'
import { type FaultCode, invalid, invalidChoice } from '../../errors.ts'
import { changeConversation } from '../conversations/conversation-changes.ts'
import { lockConversation } from '../conversations/conversation-queries.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import type { DeliveryReport } from '../scopes/provider-schemas.ts'
import { findMessage, updateMessages } from './message-queries.ts'
import { messageWithId, messageWithMsgid, noMessage } from './named-messages.ts'

type State = 'pending' | 'delivered' | 'read' | 'failed'

/** The state after a report. A message only moves forward; a missing entry changes nothing. */
const steps: Record<1 | 2 | -1, Partial<Record<State, State>>> = {
  1: { pending: 'delivered', failed: 'delivered' },
  2: { pending: 'read', delivered: 'read', failed: 'read' },
  [-1]: { pending: 'failed', delivered: 'failed', failed: 'failed' },
}

export interface Report {
  status: 1 | 2 | -1
  error_code: number | null
  error: string | null
}

/**
 * Records the delivery status that the provider reports (C9). A repeated or late report changes nothing, nor does
 * one about an incoming message. `msgid` is our id or the provider's. Throws Refusal('not_found') if the channel has
 * no such message.
 */
export async function reportDelivery(
  ctx: Context,
  caller: ChatCaller,
  msgid: string,
  body: DeliveryReport,
): Promise<void> {
  if (body.msgid != null && body.msgid !== msgid) throw invalidChoice('msgid', [msgid])
  const report = readReport(body)
  const { account } = caller
  await ctx.db.transaction().execute(async (tx) => {
    const known = (await messageWithId(tx, caller, msgid)) ?? (await messageWithMsgid(tx, caller, msgid))
    if (!known) throw noMessage()
    if (known.direction !== 'out') return
    const conversation = await lockConversation(tx, account.id, known.conversation_id)
    // Read again under the lock.
    const message = await findMessage(tx, account.id, known.id)
    const change = message && reportedChange(message, report)
    if (!conversation || !change) return
    await updateMessages(tx, [{ account_id: account.id, id: known.id, ...change }])
    await changeConversation(ctx, tx, conversation, {})
  })
}

/** The columns that a report changes; undefined if there are none. */
export function reportedChange(
  message: ChatMessageRow,
  report: Report,
): Pick<ChatMessageRow, 'state' | 'error_code' | 'error'> | undefined {
  const state = message.direction === 'out' ? stateAfter(message, report) : undefined
  const { error_code, error } = report
  return state && { state, error_code, error }
}

/**
 * Undefined if the state stays. A failure that the provider reported is final; after a failure of our own attempts
 * the provider knows better.
 */
function stateAfter({ state, error_code }: ChatMessageRow, { status }: Report): State | undefined {
  return state === 'failed' && error_code !== null ? undefined : steps[status][state as State]
}

/** `at` is the path of the report in the request, with a dot at its end. */
export function readReport(body: DeliveryReport, at = ''): Report {
  const status = body.status_code ?? body.delivery_status
  if (status == null) throw missing(`${at}status_code`)
  if (body.status_code != null && body.delivery_status != null && body.delivery_status !== status)
    throw invalidChoice(`${at}delivery_status`, [body.status_code])
  if (status !== -1) return { status, error_code: null, error: null }
  const { error_code, error } = body
  if (error_code == null) throw missing(`${at}error_code`)
  if (!errorCodes.includes(error_code)) throw invalidChoice(`${at}error_code`, errorCodes)
  // The other codes need no text.
  if (error_code === OTHER && !error) throw missing(`${at}error`)
  return { status, error_code, error: error || null }
}

const OTHER = 905
const errorCodes = [901, 902, 903, 904, OTHER]

const because = (code: FaultCode, detail: string) => (path: string) => invalid(path, code, detail)
export const missing = because('FieldMissing', 'This field is missing.')
