import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { IntegrationRow } from '../../db/tables.ts'
import { type DeliveryKind, enqueueDeliveries } from '../../outbound/deliveries.ts'
import { OutboundError } from '../../outbound/http-client.ts'
import { hmacSha256Hex } from '../../secrets.ts'
import { openSecret } from './keys.ts'
import { withParameters } from './redirect-uris.ts'

const WIDGET_HOOK_MS = 3_000

/**
 * Queues the GET that tells the integration about its deactivation, in the same transaction (specification, Events 3).
 * Older consumers read client_id. Newer ones read client_uuid and verify the signature (A13;
 * docs/wire/oauth.md#disable-hook).
 */
export async function queueDisableHook(
  ctx: Context,
  tx: Tx,
  integration: IntegrationRow,
  account_id: number,
  request_id: string,
): Promise<void> {
  if (!integration.disable_hook_url) return
  const signature = hmacSha256Hex(openSecret(ctx, integration), `${integration.id}|${account_id}`)
  const url = withParameters(integration.disable_hook_url, [
    ['account_id', String(account_id)],
    ['client_id', integration.id],
    ['client_uuid', integration.id],
    ['signature', signature],
  ])
  const draft = {
    account_id,
    kind: 'disable_hook',
    subject: integration.id,
    method: 'GET' as const,
    url,
    headers: { 'user-agent': 'amoService-oAuth-Code-Sender/1.0' },
    request_id,
    trace_context: ctx.traces.of(request_id),
  }
  await enqueueDeliveries(tx, [draft], ctx.now())
}

/** The signature of a disable hook never changes, so a reader could send the hook. */
export const disableHookDeliveries: DeliveryKind = {
  prepare: async ({ subject }) => ({ confidential_to: subject }),
}

interface WidgetHook {
  code: string
  referer: string
  request_id: string
  /** The account of the installation. */
  account_id: number
}

/**
 * Tells an integration with a widget about its installation. Waits at most 3 s, ignores the answer and is not repeated
 * (docs/wire/oauth.md#widget-hook).
 */
export async function sendWidgetHook(
  ctx: Context,
  integration: IntegrationRow,
  { code, referer, request_id, account_id }: WidgetHook,
): Promise<void> {
  const url = withParameters(integration.redirect_uri, [
    ['code', code],
    ['referer', encodeURIComponent(referer)],
    ['client_id', integration.id],
    ['from_widget', '1'],
  ])
  try {
    const about = { account_id, integration_id: integration.id, kind: 'widget_hook', request_id }
    await ctx.outbound.request({ method: 'GET', url, timeout_ms: WIDGET_HOOK_MS, about })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    ctx.log.info({ request_id, client_id: integration.id, reason: error.reason }, 'the widget hook failed')
  }
}
