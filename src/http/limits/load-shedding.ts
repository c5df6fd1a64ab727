import type { IncomingMessage, RequestListener } from 'node:http'
import type { Context } from '../../context.ts'
import { type PoolState, pools } from '../../db/pools.ts'
import { Refusal } from '../../errors.ts'
import { reasons } from '../problems/problem.ts'
import type { Proxies } from '../proxies.ts'
import { Admission } from './admission.ts'
import { RepeatedRefusals } from './repeated-refusals.ts'

/** The queue for a database connection above which new requests are not started. */
const DATABASE_QUEUE = 20
/**
 * Refusals with different retry times, so that clients do not all return at once. Created once, because stack traces
 * are expensive.
 */
const refusals = [1, 2, 3].map(
  (retry_after) =>
    new Refusal('unavailable', 'The server has more requests than it can answer. Repeat the request.', {
      code: 'overloaded',
      retry_after,
    }),
)
/** The minimum interval between log entries about refusals, in milliseconds. */
const LOGGED_EVERY = 10_000

export interface LoadShedding {
  /** Admits requests to the handler when there is capacity, and refuses the others. */
  admit(handler: RequestListener): Admission
  /** Why a request was passed to the handler only to be refused; undefined if it was admitted. */
  refusalOf(request: IncomingMessage): Refusal | undefined
  /** Stores the rendered refusal of a request, to repeat it for similar requests. */
  refused(request: IncomingMessage, headers: Record<string, unknown>, body: string): void
}

const STATUS = reasons.unavailable.status
const nameOf = ({ code, retry_after }: Refusal): string => `${code} ${retry_after}`
const hasRoom = ({ idle, waiting }: PoolState): boolean => idle > 0 || waiting < DATABASE_QUEUE

/**
 * Refuses requests that exceed the server's capacity. The handler renders the refusal in the form of its surface. Below
 * the addresses of `alikeBelow`, a rendered refusal is repeated.
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
    ctx.log.warn(
      { waiting, refused_since_start: count },
      'the server is overloaded and refuses requests with 503',
    )
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
        'Requests that wait for the server to start them.',
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
