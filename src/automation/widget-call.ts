import type { Context } from '../context.ts'
import type { AutomationRunRow } from '../db/tables.ts'
import { findWidgetCall, type WidgetCall } from '../integrations/integrations.ts'
import type { Preparation } from '../outbound/deliveries.ts'
import { elementTypes, type FormObject, formBody } from '../webhooks/webhooks.ts'
import type { Outcome } from './actions.ts'
import { runOfAccount } from './run-queries.ts'

/**
 * The request of a widget's call as the widget is at this attempt. The settings contain passwords, so the body is not
 * stored, and nothing is sent any more once the widget is uninstalled.
 */
export async function prepareWidgetCall(
  ctx: Context,
  { account_id, subject }: { account_id: number; subject: string },
): Promise<Preparation> {
  const [run] = await runOfAccount(ctx.db, { account_id, id: Number(subject) })
  const { widget } = JSON.parse(run?.result ?? '{}') as NonNullable<Outcome['result']>
  const call = widget === undefined ? undefined : await findWidgetCall(ctx, ctx.db, account_id, widget)
  if (!run || !call) return { url: NOWHERE, tries: 1 }
  return {
    url: call.url,
    body: widgetBody(run, run.subdomain, call.settings),
    confidential_to: call.integration_id,
  }
}

const NOWHERE = 'about:blank'

/** The numbers and names of what happened to the lead. */
const events = {
  created: { type: 1, type_code: 'lead_added' },
  moved: { type: 14, type_code: 'lead_status_changed' },
} as const

/** The body of a widget's call (docs/wire/automation.md#widget). */
function widgetBody(
  { account_id, lead_id: id, status_id, pipeline_id, old_status_id, created_at }: AutomationRunRow,
  subdomain: string,
  settings: WidgetCall['settings'],
): string {
  const data = {
    ...{ id, element_type: elementTypes.leads, status_id, pipeline_id },
    direction_of_movement: 'went_in_trigger',
  }
  return formBody({
    event: { ...events[old_status_id === null ? 'created' : 'moved'], data, time: created_at },
    action: { settings: { widget: { settings: settings as FormObject } } },
    subdomain,
    account_id,
  })
}
