import { type Actor, accountTimezone } from '../accounts/accounts.ts'
import { isStopped, lockConversationOfLead, sendMessage } from '../chats/chats.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { AutomationRunRow, EntityRow } from '../db/tables.ts'
import { beginWrite, editInside } from '../entities/entities.ts'
import type { RecordPatch } from '../entities/records/draft-schemas.ts'
import { findWidgetCall } from '../integrations/integrations.ts'
import { addTasksInside } from '../tasks/tasks.ts'
import type { Action, ActionType } from './action-schemas.ts'
import { endOfDay } from './deadline.ts'
import type { FailReason, RunState, SkipReason } from './run-types.ts'
import { callBody, queueCall } from './url-call.ts'

/** The parameters of an action. */
export interface Acting {
  ctx: Context
  tx: Tx
  actor: Actor
  run: AutomationRunRow
  action: Action
  /** The locked lead. */
  lead: EntityRow
}

/** The outcome of a run. */
export interface Outcome {
  state: Exclude<RunState, 'waiting'>
  reason?: SkipReason | FailReason
  /** Ids of what was made, and the code of the widget that is called. */
  result?: { task_id?: number; message_id?: string; detail?: string; widget?: string }
}

const done: Outcome = { state: 'done' }

/** Carries out an action in the transaction of its run. Throws Refusal if the account does not allow the change. */
export const actions: Record<ActionType, (acting: Acting) => Promise<Outcome>> = {
  call_url: async ({ ctx, tx, actor, run, action }) => {
    await queueCall(ctx, tx, run, action.url as string, callBody(run, actor))
    return { state: 'sending' }
  },
  call_widget: async ({ ctx, tx, run, action }) => {
    const widget = action.code as string
    const call = await findWidgetCall(ctx, tx, run.account_id, widget)
    if (!call) return { state: 'failed', reason: 'widget_missing' }
    await queueCall(ctx, tx, run, call.url, null)
    return { state: 'sending', result: { widget } }
  },
  create_task: async ({ ctx, tx, actor, action, lead }) => {
    const { text = '', task_type_id, complete_in, responsible_user_id = lead.responsible_user_id } = action
    const now = ctx.now()
    const complete_till =
      complete_in === undefined
        ? endOfDay(await accountTimezone(tx, actor.account_id), now)
        : now + complete_in
    const about = { entity_type: 'leads', entity_id: lead.id } as const
    const draft = { text, complete_till, responsible_user_id, ...about }
    const [task] = await addTasksInside(ctx, tx, actor, [
      task_type_id === undefined ? draft : { ...draft, task_type_id },
    ])
    return { state: 'done', result: { task_id: task?.id as number } }
  },
  change_responsible: (acting) =>
    change(acting, { responsible_user_id: acting.action.responsible_user_id as number }),
  change_tags: (acting) => {
    const { tags_to_add = [], tags_to_delete = [] } = acting.action
    const named = (names: string[]) => names.map((name) => ({ name }))
    return change(acting, { tags_to_add: named(tags_to_add), tags_to_delete: named(tags_to_delete) })
  },
  change_stage: (acting) => {
    const { status_id, pipeline_id = acting.run.pipeline_id, loss_reason_id } = acting.action
    const stage = { pipeline_id, status_id: status_id as number }
    return change(acting, loss_reason_id === undefined ? stage : { ...stage, loss_reason_id })
  },
  send_message: async ({ ctx, tx, actor, action, lead }) => {
    const conversation = await lockConversationOfLead(tx, actor.account_id, lead.id)
    if (!conversation) return { state: 'skipped', reason: 'no_conversation' }
    if (isStopped(conversation)) return { state: 'skipped', reason: 'bot_stopped' }
    const draft = { text: action.text as string, origin: 'bot' as const }
    const message = await sendMessage(ctx, tx, actor, conversation, draft)
    const result = { message_id: message.id }
    if (message.state === 'failed') return { state: 'failed', reason: 'channel_closed', result }
    ctx.queued.ringAfterCommit()
    return { state: 'done', result }
  },
}

async function change({ ctx, tx, actor, lead }: Acting, patch: Omit<RecordPatch, 'id'>): Promise<Outcome> {
  await editInside(await beginWrite(ctx, tx, actor), 'leads', [{ ...patch, id: lead.id }], 'path')
  return done
}
