/** The public API of the slice: what an account sends, for those who listen. */
import { type Actor, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { isOfChat } from '../deliveries/deliveries.ts'
import { invalid, invalidChoice } from '../errors.ts'
import type { DeliveryKind } from '../outbound/deliveries.ts'
import { deliveriesAfter, outgoingRequest, type SettledEnd, settledEnd } from '../outbound/outgoing.ts'
import { type WebhookCode, webhookCodeNames } from '../webhooks/webhook-types.ts'
import { keepListener, LISTENER } from '../webhooks/webhooks.ts'
import type { HeardPage, HeardRequest, ListenQuery, ListenSession } from './schemas.ts'

/** The listener in an account. `actor` is null for the tests of the operator, who may read everything. */
export interface Caller {
  account_id: number
  subdomain: string
  actor: Actor | null
}

export type Kinds = Readonly<Record<string, DeliveryKind>>

/** The parsed query of a caller. */
export interface Listening {
  caller: Caller
  shown: ListenSession
  wants(delivery: DeliveryRow): boolean
}

/**
 * Begins to listen, or continues. Throws Refusal: `forbidden` unless the caller is an administrator, `invalid` for an unknown
 * code, or for codes without a session, which would receive them.
 */
export async function listen(
  ctx: Context,
  caller: Caller,
  { session, events, channel }: Pick<ListenQuery, 'session' | 'events' | 'channel'>,
): Promise<Listening> {
  if (caller.actor) requireAdmin(caller.actor)
  const codes = events === undefined ? null : codesIn(events)
  if (codes && session === undefined)
    throw invalid('session', 'FieldMissing', 'This field is missing: `events` belong to a session.')
  const channels = channel?.split(',').map((id) => `channel:${id}`)
  // Callbacks of a channel need no subscription.
  const needsListener = session !== undefined && (codes !== null || channels === undefined)
  const listener = needsListener ? await keepListener(ctx, caller.account_id, session, codes) : undefined
  const isAll = codes === null && channels === undefined
  return {
    caller,
    shown: {
      account: caller.subdomain,
      session: session ?? null,
      is_resumed: listener?.is_known ?? false,
      secret: listener?.secret ?? null,
    },
    wants: ({ kind, subject, circuit }) => {
      if (kind === LISTENER) return subject === String(listener?.id)
      if (isOfChat(kind) && !hasChats(caller)) return false
      return isAll || (isOfChat(kind) && channels?.includes(circuit ?? '') === true)
    },
  }
}

const isWebhookCode = (name: string): name is WebhookCode => webhookCodeNames.includes(name as WebhookCode)

function codesIn(events: string): readonly WebhookCode[] {
  const names = events.split(',')
  if (names.includes('all')) return webhookCodeNames
  const unknown = names.find((name) => !isWebhookCode(name))
  if (unknown !== undefined) throw invalidChoice('events', webhookCodeNames)
  return names.filter(isWebhookCode)
}

/** Callbacks contain messages, which a token reads only with the permission for chats. */
const hasChats = ({ actor }: Caller): boolean =>
  !actor?.integration || actor.integration.scopes.includes('chats')

/** Requests, and the position after them. */
export interface Heard {
  requests: HeardRequest[]
  next: number
}

/** The next requests after a position, in the order in which they were queued. */
export async function hear(
  ctx: Context,
  kinds: Kinds,
  { caller, wants }: Listening,
  range: { after: number; until: SettledEnd },
  limit: number,
): Promise<Heard> {
  const rows = await deliveriesAfter(ctx.db, caller.account_id, range, limit)
  const requests: HeardRequest[] = []
  for (const row of rows) {
    const heard = wants(row) ? await heardRequest(ctx, kinds, caller, row) : null
    if (heard) requests.push(heard)
  }
  const isEnd = rows.length < limit && range.until.before === null
  return { requests, next: isEnd ? Math.max(range.after, range.until.id) : (rows.at(-1)?.id ?? range.after) }
}

async function heardRequest(
  ctx: Context,
  kinds: Kinds,
  caller: Caller,
  row: DeliveryRow,
): Promise<HeardRequest | null> {
  const request = await outgoingRequest(ctx, row, kinds[row.kind])
  if (!request || !mayRead(caller, request.confidential_to)) return null
  const { method, url, headers, body } = request
  return {
    id: row.id,
    kind: row.kind,
    event: headers['x-webhook-event'] ?? null,
    queued_at: row.created_at,
    request_id: row.request_id,
    method,
    url: row.kind === LISTENER ? null : url,
    headers,
    body,
  }
}

/** Secrets of an integration are for its own tokens. Tests of the operator may read everything. */
const mayRead = ({ actor }: Caller, confidential_to: string | null): boolean =>
  actor === null || confidential_to === null || actor.integration?.id === confidential_to

/** A page of what was queued after a position. Without one it is empty, and says where the present ends. */
export async function heardPage(
  ctx: Context,
  kinds: Kinds,
  caller: Caller,
  { after, limit, ...query }: ListenQuery,
): Promise<HeardPage> {
  const listening = await listen(ctx, caller, query)
  const until = await settledEnd(ctx, caller.account_id)
  const session = listening.shown
  if (after === undefined) return { session, requests: [], next: until.id }
  return { session, ...(await hear(ctx, kinds, listening, { after, until }, limit)) }
}
