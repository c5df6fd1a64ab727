import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import type { AutomationRunRow, DeliveryRow } from '../db/tables.ts'
import { type DeliveryKind, enqueueDeliveries, findDeliveries } from '../outbound/deliveries.ts'
import { formBody } from '../webhooks/webhooks.ts'
import { nameOfRun } from './robot.ts'
import { updateRuns } from './run-queries.ts'
import type { FailReason } from './run-types.ts'
import { prepareWidgetCall } from './widget-call.ts'

/** The kind of the deliveries of calls. Their subject is the id of the run. */
export const KIND = 'automation'

/** Queues a call. A body with secrets is null, and made at each attempt. */
export async function queueCall(
  ctx: Context,
  tx: Tx,
  run: AutomationRunRow,
  url: string,
  body: string | null,
): Promise<void> {
  const { account_id, id, rule_id, request_id, trace_context } = run
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'amoCRM-Webhooks/3.0',
    'x-amocrm-requestid': randomUUID(),
  }
  const circuit = `automation:${rule_id}`
  const call = { account_id, kind: KIND, subject: String(id), circuit, method: 'POST' as const, url, headers }
  const cause = { request_id, trace_context: ctx.traces.of(nameOfRun(id)) ?? trace_context }
  await enqueueDeliveries(tx, [{ ...call, ...(body !== null && { body }), ...cause }], ctx.now())
  ctx.queued.ringAfterCommit()
}

/** The body of a call: ids only, and the account last (docs/wire/automation.md#call). */
export function callBody(
  { account_id, lead_id, pipeline_id, status_id, old_pipeline_id, old_status_id }: AutomationRunRow,
  { subdomain }: { subdomain: string },
): string {
  const event = old_status_id === null ? 'add' : 'status'
  const lead = { id: lead_id, status_id, pipeline_id, old_status_id, old_pipeline_id }
  return formBody({ leads: { [event]: [lead] }, account: { id: account_id, subdomain } })
}

/** The deliveries of the calls of some runs. Their subject is the id of the run. */
export const callsOfRuns = (db: Db, account_id: number, ids: readonly number[]): Promise<DeliveryRow[]> =>
  findDeliveries(db, account_id, KIND, ids.map(String))

/** How the outbound queue delivers calls. A run ends with its call. */
export function automationDeliveries(ctx: Context): DeliveryKind {
  const end = (
    tx: Tx,
    { account_id, subject }: { account_id: number; subject: string },
    state: 'done' | 'failed',
    reason: FailReason | null,
  ) => updateRuns(tx, [{ account_id, id: Number(subject), state, reason, ended_at: ctx.now() }])
  return {
    prepare: async (delivery) => ({
      ...(isOfWidget(delivery) && (await prepareWidgetCall(ctx, delivery))),
      plan: 'hook',
      head_ms: 10_000,
    }),
    delivered: (tx, delivery) => end(tx, delivery, 'done', null),
    failed: (tx, delivery, _attempt, why) =>
      // The address of a widget is checked when it is described, so a bad one stands for a missing widget.
      end(tx, delivery, 'failed', isOfWidget(delivery) && why === 'bad_url' ? 'widget_missing' : why),
  }
}

const isOfWidget = ({ body }: Pick<DeliveryRow, 'body'>): boolean => body === null
