import { lockAccount } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { nextId } from '../db/dialect.ts'
import type { WebhookListenerRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import type { DeliveryKind } from '../outbound/deliveries.ts'
import { deleteStreamed } from '../outbound/outgoing.ts'
import {
  deleteEnded,
  insertListener,
  selectEndedListeners,
  selectListeners,
  updateListener,
} from './listener-queries.ts'
import { listenerSecret, signed } from './signing.ts'
import { LISTENER } from './webhook-requests.ts'
import { type WebhookCode, webhookCodeNames } from './webhook-types.ts'

/**
 * A listener is a subscription without an address. Its requests are written as deliveries that are never sent. They are read
 * in their order, with everything else that the account sends. It ends some minutes after it was read for the last time: a
 * listener that is gone costs nothing, and one whose connection broke loses nothing.
 */
export interface Listener {
  id: number
  /** Signs its requests. */
  secret: string
  /** Whether it was there before. */
  is_known: boolean
}

/** The listeners of an account. */
const MOST = 10
/** Seconds without a reader after which a listener ends. */
const LASTS = 900
/** Seconds after which a reader prolongs it. */
const RENEWED_AFTER = 300

/**
 * The listener of a session, which lasts for another quarter of an hour. `codes` are the changes that it receives; null: all
 * to which no webhook is subscribed. Throws Refusal('too_many') above ten listeners.
 */
export async function keepListener(
  ctx: Context,
  account_id: number,
  session: string,
  codes: readonly WebhookCode[] | null,
): Promise<Listener> {
  const secret = listenerSecret(ctx, account_id)
  const now = ctx.now()
  const wanted = {
    codes: JSON.stringify(codes ?? webhookCodeNames),
    is_for_rest: codes === null ? 1 : 0,
    expires_at: now + LASTS,
  } as const
  const known = (await selectListeners(ctx.db, account_id)).find((row) => row.session === session)
  if (known && isFresh(known, wanted, now)) return { id: known.id, secret, is_known: true }
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, account_id)
    const rows = await selectListeners(tx, account_id)
    const present = rows.find((row) => row.session === session)
    if (present) {
      await updateListener(tx, present, wanted)
      return { id: present.id, secret, is_known: true }
    }
    if (rows.filter(({ expires_at }) => expires_at > now).length >= MOST)
      throw new Refusal('too_many', `An account can have ${MOST} listeners at the same time.`, {
        retry_after: 60,
      })
    const id = await nextId(tx, 'webhooks')
    await insertListener(tx, { account_id, id, session, ...wanted, created_at: now })
    return { id, secret, is_known: false }
  })
}

const isFresh = (
  row: WebhookListenerRow,
  wanted: Pick<WebhookListenerRow, 'codes' | 'is_for_rest'>,
  now: number,
): boolean =>
  row.codes === wanted.codes &&
  row.is_for_rest === wanted.is_for_rest &&
  row.expires_at - now > LASTS - RENEWED_AFTER

const PORTION = 100

/** Ends the listeners that nobody has read for a while. */
export async function sweepListeners(ctx: Context): Promise<void> {
  for (const row of await selectEndedListeners(ctx.db, ctx.now(), PORTION)) await end(ctx, row)
}

async function end(ctx: Context, { account_id, id }: WebhookListenerRow): Promise<void> {
  const hasEnded = await ctx.db.transaction().execute((tx) => deleteEnded(tx, { account_id, id }, ctx.now()))
  if (hasEnded) await deleteStreamed(ctx.db, { account_id, kind: LISTENER, subject: String(id) })
}

/** How the requests of listeners are signed. */
export const listenerDeliveries = (ctx: Context): DeliveryKind => ({
  prepare: async ({ account_id, body }) => signed(listenerSecret(ctx, account_id), body),
})
