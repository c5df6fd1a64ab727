import type { IncomingMessage, RequestListener } from 'node:http'
import type { Context } from '../context.ts'
import { type PoolState, pools } from '../db/pools.ts'
import { Refusal } from '../errors.ts'
import { Admission } from './admission.ts'
import { reasons } from './problem.ts'
import type { Proxies } from './proxies.ts'
import { RepeatedRefusals } from './repeated-refusals.ts'

/** Statements and transactions that wait for a connection: behind as many, a new request would only wait there. */
const DATABASE_QUEUE = 20
/** A refused caller is told one of these times: they should not come again all at once. Made once, as their stacks cost time. */
const refusals = [1, 2, 3].map(
  (retry_after) =>
    new Refusal('unavailable', 'The server has more requests than it can answer. Repeat the request.', {
      code: 'overloaded',
      retry_after,
    }),
)
/** The log tells of refusals once in as many milliseconds. */
const LOGGED_EVERY = 10_000

export interface LoadShedding {
  /** Has the handler take requests when there is time for them, and refuse the others. */
  admit(handler: RequestListener): Admission
  /** Why the handler was given the request only to refuse it; undefined when it was not. */
  refusalOf(request: IncomingMessage): Refusal | undefined
  /** Tells how such a request was refused, for others to be refused alike. */
  refused(request: IncomingMessage, headers: Record<string, unknown>, body: string): void
}

const STATUS = reasons.unavailable.status
const nameOf = ({ code, retry_after }: Refusal): string => `${code} ${retry_after}`
const hasRoom = ({ idle, waiting }: PoolState): boolean => idle > 0 || waiting < DATABASE_QUEUE

/**
 * Refuses requests that the server has no time for. The handler renders a refusal, as its surface does; below the
 * addresses of `alikeBelow` it is repeated.
 */
export function createLoadShedding(
  ctx: Context,
  proxies: Proxies,
  alikeBelow: readonly string[],
): LoadShedding {
  const refused = new WeakMap<IncomingMessage, Refusal>()
  const repeated = new RepeatedRefusals(alikeBelow)
  const pool = pools.get(ctx.db)
  let loggedAt = Number.NEGATIVE_INFINITY

  const log = (admission: Admission) => {
    if (performance.now() - loggedAt < LOGGED_EVERY) return
    loggedAt = performance.now()
    const { waiting, refused: count } = admission
    ctx.log.warn({ waiting, refused_since_start: count }, 'overloaded: requests are refused with 503')
  }
  return {
    admit: (handler) => {
      const admission: Admission = new Admission({
        serve: handler,
        refuse: (request, response) => {
          ctx.metrics.refused.inc({ reason: 'overload' })
          log(admission)
          const refusal = refusals[Math.floor(Math.random() * refusals.length)] as Refusal
          if (repeated.repeat(request, response, nameOf(refusal))) return
          refused.set(request, refusal)
          handler(request, response)
        },
        flowOf: (request) =>
          request.headers.authorization ?? request.headers.cookie ?? proxies.clientOf(request),
        isFree: () => pool === undefined || hasRoom(pool()),
      })
      ctx.metrics.watch(
        'patchbay_requests_waiting',
        'Requests that wait to be begun.',
        () => admission.waiting,
      )
      return admission
    },
    refusalOf: (request) => refused.get(request),
    refused: (request, headers, body) => {
      const refusal = refused.get(request)
      if (refusal) repeated.keep(request, nameOf(refusal), headers, { status: STATUS, body })
    },
  }
}
