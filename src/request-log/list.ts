import { type Actor, type NamesOfIntegrations, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { idNamed } from '../integrations/integrations.ts'
import { deleteBatches, listBatches } from './queries.ts'
import { RequestLog } from './recorder.ts'
import { rulePath } from './rules.ts'
import type { LoggedExchange, LoggedRequest, RequestPage, RequestQuery } from './schemas.ts'
import {
  type Filter,
  type Found,
  type FoundExchange,
  readExchanges,
  searchRequests,
  WHOLE,
} from './search.ts'

/** The request log of a server, from its context. */
export function requestLogOf({ traffic }: Context): RequestLog {
  if (!(traffic instanceof RequestLog)) throw new Error('this server has no request log')
  return traffic
}

/** The conditions of a query. `status` is a class such as `4xx`, a whole status, or `none`. */
export async function filterOf(ctx: Context, query: Omit<RequestQuery, 'limit'>): Promise<Filter> {
  const { status, unread, refused, integration, operation, direction, method, path, text, request_id } = query
  return {
    ...{ operation, direction, method, path, text, request_id },
    integration_id: integration && (await idNamed(ctx, integration)),
    status: status === undefined ? undefined : status === 'none' ? 0 : Number(status.replace('xx', '')),
    only_unread: unread,
    only_refused: refused,
  }
}

/** A page of the log of an account, the newest requests first. Everything that was answered before is in it. */
export async function listRequests(
  ctx: Context,
  account_id: number,
  { limit, after = WHOLE.after, before = WHOLE.before, ...query }: RequestQuery,
  namesOf: NamesOfIntegrations,
): Promise<RequestPage> {
  const log = requestLogOf(ctx)
  await log.flush()
  const found = await searchRequests(
    log.store,
    account_id,
    await filterOf(ctx, query),
    { after, before },
    limit + 1,
  )
  const page = found.slice(0, limit)
  return {
    requests: await shownRequests(ctx, account_id, page, namesOf),
    next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    dropped: log.dropped,
  }
}

/** One request of the account with both sides. Throws Refusal('not_found'). */
export async function readRequest(
  ctx: Context,
  account_id: number,
  id: number,
  namesOf: NamesOfIntegrations,
): Promise<LoggedExchange> {
  const log = requestLogOf(ctx)
  await log.flush()
  const found = await readExchanges(log.store, account_id, [id])
  const [shown] = await shownExchanges(ctx, account_id, found, namesOf)
  if (!shown) throw new Refusal('not_found', 'The log has no such request. Old requests are deleted.')
  return shown
}

/** Requests with both sides, with the integrations as the account names them (A18). */
export async function shownExchanges(
  ctx: Context,
  account_id: number,
  found: readonly FoundExchange[],
  namesOf: NamesOfIntegrations,
): Promise<LoggedExchange[]> {
  const shown = await shownRequests(ctx, account_id, found, namesOf)
  return found.map(({ messages: { request, response } }, i) => {
    const { request_size, response_size, ...rest } = shown[i] as LoggedRequest
    const id = found[i]?.integration_id ?? null
    const named = (body: string | null) =>
      id && rest.integration_id && body ? body.replaceAll(id, rest.integration_id) : body
    return {
      ...rest,
      request: { ...request, body: named(request.body), size: request_size },
      response: { ...response, body: named(response.body), size: response_size },
    }
  })
}

async function shownRequests(
  ctx: Context,
  account_id: number,
  found: readonly Found[],
  namesOf: NamesOfIntegrations,
): Promise<LoggedRequest[]> {
  const ids = [...new Set(found.flatMap(({ integration_id }) => integration_id ?? []))]
  const nameOf = await namesOf(ctx, account_id, ids)
  return found.map((one) => ({
    ...one,
    operation: one.operation || null,
    integration_id: one.integration_id && nameOf(one.integration_id),
    unread: [...one.unread],
    why: one.why && { ...one.why, docs: rulePath(one.status, one.why.code) },
  }))
}

/**
 * Deletes batches of an account: all of them, or those that are over. `isOver` is asked for each batch from the newest to
 * the oldest, with the number of requests that are newer.
 */
export async function forgetRequests(
  ctx: Context,
  account_id: number,
  isOver: (batch: { at: number }, newer: number) => boolean = () => true,
): Promise<void> {
  const { store } = requestLogOf(ctx)
  let newer = 0
  const over: number[] = []
  for (const batch of await listBatches(store, account_id)) {
    if (isOver(batch, newer)) over.push(batch.id)
    newer += batch.count
  }
  for (let at = 0; at < over.length; at += DELETED_AT_ONCE) {
    const part = over.slice(at, at + DELETED_AT_ONCE)
    await deleteBatches(store, account_id, { from: part.at(-1) as number, to: part[0] as number })
  }
}

/** A batch can have a megabyte. */
const DELETED_AT_ONCE = 50

/** Empties the log of an account. */
export async function clearRequests(ctx: Context, account_id: number): Promise<void> {
  await requestLogOf(ctx).flush()
  await forgetRequests(ctx, account_id)
}

/** The account of an administrator, whose log they can read. */
export function accountOfAdmin(actor: Actor): number {
  requireAdmin(actor)
  return actor.account_id
}
