import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { shareOf } from './places.ts'

/** The size of a large body, in bytes. A valid batch of 250 records with few fields is below it. */
const LARGE = 262_144
/** Large bodies that are parsed at the same time. A parsed body takes several times the memory of its bytes. */
const AT_ONCE = 4
/** Requests with a large body that a caller can have in progress, including waiting ones. */
const MAX_PER_CALLER = 16

/** Parses a body immediately, or when its caller has a turn. */
export type ParseInTurn = (
  request: FastifyRequest,
  bytes: Buffer,
  parse: () => unknown,
  done: (error: Error | null, body?: unknown) => void,
) => void

/** A request's place within the limits on large bodies. */
export interface LargeBody {
  leave(): void
  endWork(): void
}

/**
 * Limits the memory of large bodies. Each caller can have a few such requests in progress, in all processes together;
 * more are refused before their bodies are read. Of all callers, a few bodies at a time are parsed and processed until they are answered. The
 * others wait as bytes, and their callers take turns.
 */
export function boundLargeBodies(ctx: Pick<Context, 'config' | 'places'>, app: FastifyInstance): ParseInTurn {
  const at_once = shareOf(AT_ONCE, ctx.config)
  const queue = createFairQueue({ at_once, most_waiting: MAX_PER_CALLER })

  const hooks: Pick<RouteOptions, 'onRequest' | 'onRequestAbort' | 'onSend'> = {
    onRequest: (request, _reply, done) => {
      const { 'content-length': length = Number.POSITIVE_INFINITY } = request.headers
      if (request.method === 'GET' || Number(length) <= LARGE) return done()
      ctx.places.take(`large bodies of ${callerOf(request)}`, MAX_PER_CALLER).then((giveBack) => {
        if (!giveBack) return done(tooMany())
        const leave = once(giveBack)
        request.largeBody = { leave, endWork: () => {} }
        // The client can leave while the place is taken.
        if (request.raw.destroyed) leave()
        done()
      }, done)
    },
    onRequestAbort: (request, done) => {
      request.largeBody?.leave()
      done()
    },
    onSend: (request, _reply, _payload, done) => {
      request.largeBody?.leave()
      request.largeBody?.endWork()
      done()
    },
  }
  app.decorateRequest('largeBody', null)
  app.addHook('onRoute', (route) => {
    if ((route.bodyLimit ?? 0) <= LARGE) return
    for (const name of ['onRequest', 'onRequestAbort', 'onSend'] as const)
      Object.assign(route, { [name]: [hooks[name], route[name] ?? []].flat() })
  })

  return (request, bytes, parse, done) => {
    const { largeBody } = request
    if (!largeBody || bytes.length <= LARGE) return settle(parse, done)
    void queue.take(callerOf(request), async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      largeBody.endWork = resolve
      // The client has disconnected, so its body is not parsed.
      if (request.raw.socket.destroyed) done(tooMany())
      else settle(parse, done)
      await promise
    })
  }
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/**
 * The consent or the person, who is authenticated by then; for strangers, their address. A header is no caller: one token
 * can be written in many ways, and any cookie can stand beside that of the session.
 */
const callerOf = ({ actor, ip }: FastifyRequest): string =>
  actor ? `${actor.account_id} ${actor.integration?.grant_id ?? actor.user_id}` : ip

function settle(parse: () => unknown, done: (error: Error | null, body?: unknown) => void): void {
  let body: unknown
  let fault: Error | null = null
  try {
    body = parse()
  } catch (error) {
    fault = error as Error
  }
  done(fault, body)
}

const tooMany = (): Refusal =>
  new Refusal('too_many', `At most ${MAX_PER_CALLER} requests with a large body can be in progress.`, {
    retry_after: 1,
  })
