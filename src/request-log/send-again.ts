import { AsyncLocalStorage } from 'node:async_hooks'
import { type Actor, type NamesOfIntegrations, recordAudit } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { withPass } from '../integrations/integrations.ts'
import { requestLogOf } from './list.ts'
import { type Obstacle, obstacleTo } from './repeat-types.ts'
import type { LoggedExchange } from './schemas.ts'
import { type FoundExchange, readExchanges } from './search.ts'
import { waitForRequests } from './wait.ts'

/** A request as it is given to the server without a connection. */
export interface InnerRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
  address: string
}

/** Gives a request to the server, and resolves with the id of the answered request. The answer is not kept. */
export type Inject = (request: InnerRequest, signal: AbortSignal) => Promise<string>

/** The caller; `user_id` is 0 if no person asks. */
export type Asking = Pick<Actor, 'account_id' | 'user_id' | 'address' | 'request_id'>

/** The sentences of the refusals. */
const sentences: Record<Obstacle, string> = {
  attempt: 'This is an attempt of the server. It is sent again as a delivery.',
  token_request: 'A request to the token endpoint has secrets, which are not kept.',
  no_token: 'The request had no valid access token, so there are no rights with which to send it.',
  cut: 'Only the beginning of the body is kept.',
  no_body: 'The body is not kept.',
  secrets: 'The request has secrets or other characters that are not kept.',
  stream: 'The answer is a stream, which does not end.',
}

/** Headers that change what a request means. An idempotency key is left out, so that the request has its effect again. */
const REPEATED = [
  'accept',
  'accept-language',
  'content-type',
  'if-match',
  'if-none-match',
  'x-requested-with',
]
/** The longest time for the answer, and then for its row, in milliseconds. */
const LONGEST_MS = 30_000
const ROW_SECONDS = 5

/** The request that asks can have an open unit of work, which must not contain the one that is sent. */
const outside = AsyncLocalStorage.snapshot()

/**
 * Sends a recorded request of the account again, exactly as it was, with the rights that its consent has now. Returns its
 * new row. It is a request like any other: the rate limits count it, and the log records it. Throws Refusal: `not_found`,
 * or `conflict` with the code `not_repeatable` and the reason.
 */
export async function sendRequestAgain(
  ctx: Context,
  asking: Asking,
  id: number,
  { inject, namesOf }: { inject: Inject; namesOf: NamesOfIntegrations },
): Promise<LoggedExchange> {
  const { account_id } = asking
  const log = requestLogOf(ctx)
  await log.flush()
  const [found] = await readExchanges(log.store, account_id, [id])
  if (!found) throw new Refusal('not_found', 'The log has no such request. Old requests are deleted.')
  const obstacle = obstacleOf(found)
  if (obstacle) throw notRepeatable(sentences[obstacle], obstacle)
  if (!log.settingOf(account_id).is_on)
    throw notRepeatable('The request log is off, so the answer could not be shown.', 'log_off')
  const consent = { account_id, grant_id: found.grant_id as string }
  return withPass(ctx, consent, async (token) => {
    await ctx.db.transaction().execute((tx) =>
      recordAudit(ctx, tx, {
        ...asking,
        ...(found.integration_id !== null && { integration_id: found.integration_id }),
        action: 'request.sent_again',
        details: { name: `${found.method} ${found.path}` },
      }),
    )
    const signal = AbortSignal.timeout(LONGEST_MS)
    const request_id = await outside(() => inject(repeated(found, token, asking.address), signal))
    const wanted = { request_id, direction: 'in' as const, count: 1, timeout: ROW_SECONDS, after: id }
    const [row] = await waitForRequests(ctx, account_id, wanted, namesOf)
    return row as LoggedExchange
  })
}

const obstacleOf = ({ messages: { request, response }, request_size, ...head }: FoundExchange) =>
  obstacleTo({ ...head, request: { ...request, size: request_size }, response })

const notRepeatable = (sentence: string, obstacle: string): Refusal =>
  new Refusal('conflict', sentence, { code: 'not_repeatable', members: { obstacle } })

function repeated(
  { method, host, path, query, messages: { request } }: FoundExchange,
  token: string,
  address: string,
): InnerRequest {
  const kept = REPEATED.flatMap((name) => {
    const value = request.headers[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    method,
    url: path + (query && `?${query}`),
    headers: { ...Object.fromEntries(kept), host, authorization: `Bearer ${token}` },
    body: request.body,
    address,
  }
}
