import type { Context } from '../context.ts'
import type { ChatMessageRow } from '../db/tables.ts'
import { type FaultCode, invalid, Refusal } from '../errors.ts'
import type { ChatCaller } from './caller.ts'
import { isUuid } from './channel-queries.ts'
import { findMessage, lockConversation, updateMessages } from './message-queries.ts'
import { changeConversation } from './messages.ts'
import type { DeliveryReport } from './provider-schemas.ts'

type State = 'pending' | 'delivered' | 'read' | 'failed'

/** What a report makes of each state. A message only goes forward: what has no place here is old news. */
const steps: Record<1 | 2 | -1, Partial<Record<State, State>>> = {
  1: { pending: 'delivered', failed: 'delivered' },
  2: { pending: 'read', delivered: 'read', failed: 'read' },
  [-1]: { pending: 'failed', delivered: 'failed', failed: 'failed' },
}

interface Report {
  status: 1 | 2 | -1
  error_code: number | null
  error: string | null
}

/**
 * What became of a message, as the provider says (C9). Again, or too late: nothing changes. Throws Refusal('not_found')
 * for a message that did not go out by this channel.
 */
export async function reportDelivery(
  ctx: Context,
  { channel, account }: ChatCaller,
  msgid: string,
  body: DeliveryReport,
): Promise<void> {
  const report = readReport(msgid, body)
  await ctx.db.transaction().execute(async (tx) => {
    const known = isUuid(msgid) ? await findMessage(tx, account.id, msgid) : undefined
    if (!known || known.channel_id !== channel.id || known.direction !== 'out') throw noMessage()
    const conversation = await lockConversation(tx, account.id, known.conversation_id)
    // Read again: now nobody else changes it.
    const message = await findMessage(tx, account.id, msgid)
    const state = message && stateAfter(message, report)
    if (!conversation || !state) return
    const { error_code, error } = report
    await updateMessages(tx, [{ account_id: account.id, id: msgid, state, error_code, error }])
    await changeConversation(ctx, tx, conversation, {})
  })
}

export const noMessage = () => new Refusal('not_found', 'message not found')

/** Undefined where it stays as it is. What the provider itself called failed is over; where only we gave up, it knows better. */
function stateAfter({ state, error_code }: ChatMessageRow, { status }: Report): State | undefined {
  return state === 'failed' && error_code !== null ? undefined : steps[status][state as State]
}

function readReport(msgid: string, body: DeliveryReport): Report {
  const status = body.status_code ?? body.delivery_status
  if (status === undefined) throw missing('status_code')
  if (body.status_code !== undefined && body.delivery_status !== undefined && body.delivery_status !== status)
    throw choice('delivery_status')
  if (body.msgid !== undefined && body.msgid !== msgid) throw choice('msgid')
  if (status !== -1) return { status, error_code: null, error: null }
  const { error_code, error } = body
  if (error_code == null) throw missing('error_code')
  if (error_code < 901 || error_code > OTHER) throw choice('error_code')
  // The others say by themselves what happened.
  if (error_code === OTHER && !error) throw missing('error')
  return { status, error_code, error: error || null }
}

const OTHER = 905

const because = (code: FaultCode, detail: string) => (path: string) => invalid(path, code, detail)
export const missing = because('FieldMissing', 'This field is missing.')
const choice = because('NotSupportedChoice', 'The value you selected is not a valid choice.')
