import { type Actor, auditAs, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { isUniqueViolation } from '../db/failures.ts'
import type { WebhookRow } from '../db/tables.ts'
import { invalid, Refusal } from '../errors.ts'
import {
  type CircuitStatus,
  closeCircuit,
  findCircuits,
  lockForClosing,
} from '../outbound/circuit-breaker.ts'
import { cancelDeliveries } from '../outbound/deliveries.ts'
import { findRetrying } from '../outbound/history.ts'
import { lockWebhook, selectWebhook, selectWebhooks, updateWebhook } from './queries.ts'
import type { NewWebhook, WebhookPatch, WebhookSettings } from './schemas.ts'
import { newSigningSecret } from './signing.ts'
import {
  about,
  ENABLED,
  removeWebhook,
  requireUrl,
  storedCodes,
  subscribe,
  webhookView,
} from './subscriptions.ts'
import { circuitOf } from './webhook-requests.ts'

/**
 * Finds integrations as an account may know them (A18). The surface passes this in, because webhooks are below
 * integrations.
 */
export type FindIntegrations = (
  ctx: Context,
  account_id: number,
  ids: string[],
) => Promise<ReadonlyMap<string, { id: string; name: string }>>

/** The webhooks of the account with the health of their endpoints. For administrators. */
export async function listSettings(
  ctx: Context,
  actor: Actor,
  findNames: FindIntegrations,
): Promise<WebhookSettings[]> {
  requireAdmin(actor)
  return shown(ctx, await selectWebhooks(ctx.db, actor.account_id), findNames)
}

/** One of them, or Refusal('not_found'). */
export async function readSettings(
  ctx: Context,
  actor: Actor,
  id: number,
  findNames: FindIntegrations,
): Promise<WebhookSettings> {
  const [view] = await shown(ctx, [await ownWebhook(ctx, actor, id)], findNames)
  return view as WebhookSettings
}

/** A webhook of the account, for administrators; otherwise Refusal('not_found'). */
export async function ownWebhook(ctx: Context, actor: Actor, id: number): Promise<WebhookRow> {
  requireAdmin(actor)
  const row = await selectWebhook(ctx.db, actor.account_id, id)
  if (!row) throw notFound()
  return row
}

/** Adds a webhook and returns its id. The API replaces the settings of a known address; pages refuse it instead. */
export async function addWebhook(ctx: Context, actor: Actor, draft: NewWebhook): Promise<number> {
  const { webhook } = await subscribe(ctx, actor, draft, () => {
    throw isKnown()
  })
  return webhook.id
}

/** Changes a webhook. Disabling it cancels its pending deliveries; enabling it or another address closes its circuit. */
export async function changeWebhook(
  ctx: Context,
  actor: Actor,
  id: number,
  { destination, settings, disabled }: WebhookPatch,
): Promise<void> {
  if (destination !== undefined) requireUrl(destination)
  const isEnabled = disabled === false && (await ownWebhook(ctx, actor, id)).is_disabled === 1
  const change = async (tx: Tx, row: WebhookRow): Promise<void> => {
    const changes: Partial<WebhookRow> = {
      ...(destination !== undefined && { destination }),
      ...(settings !== undefined && { settings: storedCodes(settings) }),
    }
    if (Object.entries(changes).some(([name, value]) => row[name as keyof WebhookRow] !== value)) {
      await updateWebhook(tx, row, { ...changes, updated_at: ctx.now() })
      await auditAs(ctx, tx, actor, 'webhook.changed', { ...about(row), changed: Object.keys(changes) })
    }
    if (destination !== undefined && destination !== row.destination)
      await closeCircuit(tx, circuitOf(id), ctx.now())
    if (disabled !== undefined && disabled !== (row.is_disabled === 1))
      await switchWebhook(ctx, tx, actor, row, disabled)
  }
  try {
    // The outcomes of attempts lock circuits before webhooks, and webhooks before deliveries.
    const closes = isEnabled || destination !== undefined
    const first = closes ? (tx: Tx) => lockForClosing(tx, circuitOf(id)) : undefined
    await withLocked(ctx, actor, id, change, first)
  } catch (error) {
    throw isUniqueViolation(error) ? isKnown() : error
  }
  ctx.queued.ring()
}

const isKnown = () => invalid('destination', 'NotUnique', 'This address is already subscribed.')

async function switchWebhook(ctx: Context, tx: Tx, actor: Actor, row: WebhookRow, disabled: boolean) {
  const now = ctx.now()
  if (disabled) {
    await cancelDeliveries(tx, { circuit: circuitOf(row.id) }, now)
    await updateWebhook(tx, row, {
      is_disabled: 1,
      disable_reason: 'person',
      disabled_at: now,
      updated_at: now,
    })
  } else {
    await updateWebhook(tx, row, { ...ENABLED, updated_at: now })
    await closeCircuit(tx, circuitOf(row.id), now)
  }
  await auditAs(ctx, tx, actor, disabled ? 'webhook.disabled' : 'webhook.enabled', about(row))
}

/** Removes a webhook and cancels its pending deliveries. */
export const deleteSettings = (ctx: Context, actor: Actor, id: number): Promise<void> =>
  withLocked(ctx, actor, id, (tx, row) => removeWebhook(ctx, tx, actor, row))

/** Creates a signing secret, which replaces the present one, and returns it. It is not shown again. */
export function signRequests(ctx: Context, actor: Actor, id: number): Promise<{ secret: string }> {
  return withLocked(ctx, actor, id, async (tx, row) => {
    const { secret, signing_secret } = await newSigningSecret(ctx, tx, id)
    await updateWebhook(tx, row, { signing_secret, updated_at: ctx.now() })
    await auditAs(ctx, tx, actor, 'webhook.secret_created', about(row))
    return { secret }
  })
}

/** Stops signing the requests of a webhook. */
export function stopSigning(ctx: Context, actor: Actor, id: number): Promise<void> {
  return withLocked(ctx, actor, id, async (tx, row) => {
    if (row.signing_secret === null) return
    await updateWebhook(tx, row, { signing_secret: null, updated_at: ctx.now() })
    await auditAs(ctx, tx, actor, 'webhook.secret_removed', about(row))
  })
}

function withLocked<T>(
  ctx: Context,
  actor: Actor,
  id: number,
  work: (tx: Tx, row: WebhookRow) => Promise<T>,
  first?: (tx: Tx) => Promise<void>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    // Subscriptions lock it, too, so no other webhook gets the same address meanwhile.
    await lockAccount(tx, actor.account_id)
    await first?.(tx)
    const row = await lockWebhook(tx, actor.account_id, id)
    if (!row) throw notFound()
    return work(tx, row)
  })
}

const notFound = () => new Refusal('not_found', 'Webhook not found')

async function shown(
  ctx: Context,
  rows: readonly WebhookRow[],
  findNames: FindIntegrations,
): Promise<WebhookSettings[]> {
  const [first] = rows
  if (!first) return []
  const names = rows.map(({ id }) => circuitOf(id))
  const ids = [...new Set(rows.flatMap(({ integration_id }) => integration_id ?? []))]
  const [circuits, integrations, retrying] = await Promise.all([
    findCircuits(ctx.db, names),
    findNames(ctx, first.account_id, ids),
    findRetrying(ctx.db, first.account_id, names),
  ])
  return rows.map((row) => ({
    ...webhookView(row),
    disable_reason: row.disable_reason as WebhookSettings['disable_reason'],
    disabled_at: row.disabled_at,
    is_signed: row.signing_secret !== null,
    integration: integrations.get(row.integration_id ?? '') ?? null,
    health: {
      ...healthOf(circuits.get(circuitOf(row.id)) as CircuitStatus),
      is_retrying: retrying.has(circuitOf(row.id)),
    },
  }))
}

const healthOf = (circuit: CircuitStatus): Omit<WebhookSettings['health'], 'is_retrying'> => {
  const { state, failures, failing_since, waiting, next_probe_at } = circuit
  const { last_success_at, last_failure_at, last_error } = circuit
  return {
    ...{ state, failures, failing_since, waiting, next_probe_at },
    ...{ last_success_at, last_failure_at, last_error },
  }
}
