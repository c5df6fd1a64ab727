import { LRUCache } from 'lru-cache'
import { type Actor, chatNames } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { OutboundError, type OutboundRequest } from '../../outbound/http-client.ts'
import { requireChat } from '../conversations/chat-rights.ts'
import { CALLBACK_HEADERS, closedBy } from '../messages/send.ts'
import { signingSecret } from '../scopes/channel-secrets.ts'
import { findChannelTo, findDestination } from '../scopes/destination-queries.ts'
import { callbackUrlOf, scopeIdOf } from '../scopes/scopes.ts'
import { bodySignature } from '../scopes/signature.ts'
import { receivesActions, typingBody } from './action-body.ts'

/** A client repeats the report while the person is typing; the provider gets at most one in this time. */
const SHOWN_MS = 5_000

/** Reports of the last moments, by chat and person. One more callback after an entry was evicted does no harm. */
const typed = new LRUCache<string, true>({ max: 10_000, ttl: SHOWN_MS })

/** A report that waits is soon false, so a slow provider gets few. */
const sending = createFairQueue({ at_once: 16, most_waiting: 2 })

/**
 * Tells the provider that a person of the account is typing (C25). The callback is sent once and its answer is ignored, so the
 * request does not wait for it. A channel that cannot receive it gets none. Throws Refusal: `not_found` and `forbidden`.
 */
export async function reportTyping(ctx: Context, actor: Actor, id: string): Promise<void> {
  const request = await typingRequest(ctx, actor, id)
  const key = `${actor.account_id} ${id} ${actor.user_id}`
  if (!request || typed.has(key)) return
  typed.set(key, true)
  const { outbound, log } = ctx
  void sending.take(request.url, () => send({ outbound, log }, request))
}

async function typingRequest(ctx: Context, actor: Actor, id: string): Promise<OutboundRequest | null> {
  const { account_id, user_id, request_id } = actor
  const found = await ctx.db.transaction().execute(async (tx) => {
    const conversation = await requireChat(tx, actor, id)
    const destination = await findDestination(tx, conversation)
    return { conversation, destination, person: (await chatNames(tx, [user_id])).get(user_id) }
  })
  const { conversation, destination, person } = found
  if (!destination || closedBy(destination) || !receivesActions(destination)) return null
  const channel = await findChannelTo(ctx.db, account_id, destination.channel.id)
  if (!channel || !person) return null
  const { amojo_id } = person
  const expired_at = ctx.now() + SHOWN_MS / 1000
  const body = typingBody({ conversation, destination, amojo_id, at: ctx.now() }, expired_at)
  return {
    method: 'POST',
    url: callbackUrlOf(channel, scopeIdOf(channel.id, channel.amojo_id)),
    headers: { ...CALLBACK_HEADERS, 'x-signature': bodySignature(signingSecret(ctx, channel), body) },
    body,
    timeout_ms: SHOWN_MS,
    about: { account_id, integration_id: null, kind: 'chat_typing', request_id },
  }
}

async function send(
  { outbound, log }: Pick<Context, 'outbound' | 'log'>,
  request: OutboundRequest,
): Promise<void> {
  try {
    await outbound.request(request)
  } catch (error) {
    const reason = error instanceof OutboundError ? error.reason : error
    log.debug({ request_id: request.about?.request_id, reason }, 'a typing callback failed')
  }
}
