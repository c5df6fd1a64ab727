import { type Actor, auditAs, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextId } from '../db/dialect.ts'
import type { WebhookRow } from '../db/tables.ts'
import { invalid, Refusal } from '../errors.ts'
import { closeCircuit, lockForClosing } from '../outbound/circuit-breaker.ts'
import { cancelDeliveries } from '../outbound/deliveries.ts'
import { readTarget } from '../outbound/egress-policy.ts'
import { OutboundError } from '../outbound/http-client.ts'
import { deleteWebhook, insertWebhook, lockWebhook, selectWebhooks, updateWebhook } from './queries.ts'
import type { NewWebhook, Webhook } from './schemas.ts'
import { circuitOf } from './webhook-requests.ts'

const MAX_WEBHOOKS = 100

/** The webhooks of the account, regardless of who subscribed (H1). For administrators. */
export async function listWebhooks(
  ctx: Context,
  actor: Actor,
  destinations: readonly string[],
): Promise<Webhook[]> {
  requireAdmin(actor)
  const rows = await selectWebhooks(ctx.db, actor.account_id)
  return rows
    .filter(({ destination }) => destinations.length === 0 || destinations.includes(destination))
    .map(webhookView)
}

/**
 * Subscribes an address. If it is subscribed already, its settings are replaced and it is enabled again (H1);
 * `settingsOf` makes the new settings from the present ones. For administrators. Throws Refusal: `invalid` for a URL to which nothing can be sent, `unprocessable` for more than a
 * hundred webhooks.
 */
export async function subscribe(
  ctx: Context,
  actor: Actor,
  { destination, settings }: NewWebhook,
  settingsOf: (present: readonly string[]) => readonly string[] = () => settings,
): Promise<{ webhook: Webhook; isNew: boolean }> {
  requireAdmin(actor)
  requireUrl(destination)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const rows = await selectWebhooks(tx, actor.account_id)
    const known = rows.find((row) => row.destination === destination)
    if (known) return { webhook: await subscribeAgain(ctx, tx, actor, known.id, settingsOf), isNew: false }
    if (rows.length >= MAX_WEBHOOKS)
      throw new Refusal('unprocessable', `An account can have at most ${MAX_WEBHOOKS} webhooks.`)
    const sort = Math.max(0, ...rows.map((row) => row.sort)) + 1
    const row = newRow(ctx, actor, { id: await nextId(tx, 'webhooks'), sort, destination, settings })
    await insertWebhook(tx, row)
    await auditAs(ctx, tx, actor, 'webhook.added', about(row))
    return { webhook: webhookView(row), isNew: true }
  })
}

/** Locks as attempts do: circuits before webhooks, and webhooks before deliveries. The account is locked. */
async function subscribeAgain(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  id: number,
  settingsOf: (present: readonly string[]) => readonly string[],
): Promise<Webhook> {
  await lockForClosing(tx, circuitOf(id))
  const row = (await lockWebhook(tx, actor.account_id, id)) as WebhookRow
  const settings = storedCodes(settingsOf(JSON.parse(row.settings)))
  // It is disabled with the integration that subscribed last.
  const integration_id = actor.integration?.id ?? row.integration_id
  const changes = { ...ENABLED, settings, integration_id, updated_at: ctx.now() }
  await updateWebhook(tx, row, changes)
  if (row.is_disabled === 1) await closeCircuit(tx, circuitOf(id), ctx.now())
  await auditAs(ctx, tx, actor, 'webhook.changed', about(row))
  return webhookView({ ...row, ...changes })
}

/**
 * Takes codes from the webhook of an address, and removes it with its pending deliveries if none is left, or if no codes are
 * given. Throws Refusal('not_found') if there is none.
 */
export async function unsubscribe(
  ctx: Context,
  actor: Actor,
  destination: string,
  codes?: readonly string[],
): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const rows = await selectWebhooks(tx, actor.account_id)
    const id = rows.find((row) => row.destination === destination)?.id
    const known = id !== undefined && (await lockWebhook(tx, actor.account_id, id))
    if (!known) throw new Refusal('not_found', 'Webhook not found')
    const left = (JSON.parse(known.settings) as string[]).filter((code) => codes && !codes.includes(code))
    if (left.length === 0) return removeWebhook(ctx, tx, actor, known)
    await updateWebhook(tx, known, { settings: storedCodes(left), updated_at: ctx.now() })
    await auditAs(ctx, tx, actor, 'webhook.changed', { ...about(known), changed: ['settings'] })
  })
}

/** Removes a webhook. Its account and its row are locked: attempts lock the row before deliveries. */
export async function removeWebhook(ctx: Context, tx: Tx, actor: Actor, row: WebhookRow): Promise<void> {
  await cancelDeliveries(tx, { circuit: circuitOf(row.id) }, ctx.now())
  await deleteWebhook(tx, row.account_id, row.id)
  await auditAs(ctx, tx, actor, 'webhook.removed', about(row))
}

/** The columns of an enabled webhook. Its failures are counted from zero. */
export const ENABLED = {
  is_disabled: 0,
  disable_reason: null,
  disabled_at: null,
  recent_failures: '[]',
} as const

export const webhookView = (row: WebhookRow): Webhook => ({
  id: row.id,
  destination: row.destination,
  created_at: row.created_at,
  updated_at: row.updated_at,
  account_id: row.account_id,
  created_by: row.created_by,
  sort: row.sort,
  disabled: row.is_disabled === 1,
  settings: JSON.parse(row.settings),
})

/** Each code once. */
export const storedCodes = (settings: readonly string[]): string => JSON.stringify([...new Set(settings)])

/** The details of a webhook in the audit log: its id and the host, because the rest of the address can be a secret. */
export const about = ({ id, destination }: Pick<WebhookRow, 'id' | 'destination'>) => ({
  id,
  name: new URL(destination).host,
})

/** Refuses an address to which nothing can be sent. Names of hosts are in ASCII, as on the platform. */
export function requireUrl(
  destination: string,
  { path, request_id }: { path: string; request_id?: string } = { path: 'destination' },
): void {
  const isAscii = /^[\x21-\x7e]+$/.test(destination)
  try {
    if (isAscii && readTarget(destination)) return
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw invalid(path, 'InvalidFormat', `Invalid URL. ${error.message}`, request_id)
  }
  throw invalid(
    path,
    'InvalidFormat',
    'Invalid URL. It should consist of printable ASCII characters.',
    request_id,
  )
}

const newRow = (
  ctx: Context,
  { account_id, user_id, integration }: Actor,
  { id, sort, destination, settings }: NewWebhook & { id: number; sort: number },
): WebhookRow => ({
  ...{ account_id, id, destination, settings: storedCodes(settings), sort },
  ...ENABLED,
  signing_secret: null,
  integration_id: integration?.id ?? null,
  created_by: user_id,
  created_at: ctx.now(),
  updated_at: ctx.now(),
})
