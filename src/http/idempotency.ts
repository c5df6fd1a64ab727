import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type CommitWatch, watchCommits } from '../db/commits.ts'
import { Refusal } from '../errors.ts'
import { deleteKeys, findKey, type KeyId, keepAnswer, releaseKey, reserveKey } from './idempotency-queries.ts'

/**
 * `Idempotency-Key` (V9): a write that may be sent again and is done once.
 *
 * The key is taken, in a transaction of its own, before the write is begun, and the answer is kept under it before it is
 * given. Whoever comes with the key meanwhile is told so; afterwards he is given the first answer again. What may come
 * right when it is repeated (401, 429, 5xx) is not kept: the key is given back.
 *
 * Where a write was committed and its answer was not kept, because the program ended or failed in between, the key stays
 * taken until it expires. Nobody can say any more what the answer was, and to do the write twice would be worse.
 */

/** Seconds. */
const LIFETIME = 24 * 3_600
const HEADER = 'idempotency-key'
const KEY = /^[\x20-\x7e]{1,255}$/
const WRITES = new Set(['POST', 'PATCH'])

/** To whom a key belongs. */
export type KeyOwner = Omit<KeyId, 'key'>

/** A key that a request has taken, and whether anything was committed since. */
interface Reservation {
  id: KeyId
  watch: CommitWatch
}

declare module 'fastify' {
  interface FastifyRequest {
    reservation: Reservation | null
  }
}

/** Lets POST and PATCH below this surface be repeated. A request without the header costs a look at it. */
export function acceptRepeats(
  ctx: Context,
  app: FastifyInstance,
  ownerOf: (request: FastifyRequest) => KeyOwner,
): void {
  app.decorateRequest('reservation', null)
  // Before the body is validated: what is wrong with it is an answer too.
  app.addHook('preValidation', (request, reply, done) => {
    const key = request.headers[HEADER]
    if (key === undefined || !WRITES.has(request.method)) return done()
    begin(ctx, request, { ...ownerOf(request), key: String(key) }).then((first) => {
      if (first) giveAgain(reply, first)
      else watchCommits((request.reservation as Reservation).watch, done)
    }, done)
  })
  // Behind the hooks of the surface, so that its content type is known.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.reservation === null) return done(null, payload)
    settle(ctx, request, reply, payload).then(() => done(null, payload))
  })
}

/** Forgets the keys that have expired; a job that runs now and then. */
export async function sweepKeys(ctx: Context): Promise<void> {
  await ctx.db.transaction().execute((tx) => deleteKeys(tx, ctx.now() - LIFETIME))
}

interface Kept {
  status: number
  type: string | undefined
  body: string
}

/** Takes the key for the request, or answers what is kept under it. */
async function begin(ctx: Context, request: FastifyRequest, id: KeyId): Promise<Kept | null> {
  if (!KEY.test(id.key))
    throw new Refusal('invalid', 'Idempotency-Key is 1 to 255 printable characters of ASCII.', {
      code: 'idempotency_key_invalid',
    })
  const now = ctx.now()
  const row = { ...id, request_hash: hashOf(request), created_at: now }
  const isTaken = await ctx.db.transaction().execute((tx) => reserveKey(tx, row, now - LIFETIME))
  if (isTaken) {
    request.reservation = { id, watch: { committed: false } }
    return null
  }
  const first = await findKey(ctx.db, id)
  if (first && !row.request_hash.equals(first.request_hash))
    throw new Refusal('conflict', 'This Idempotency-Key was used for another request.', {
      code: 'idempotency_key_reused',
    })
  // Gone again: it was given back at this very moment, and the next one will find it free.
  if (!first || first.status === null || first.answer === null)
    throw new Refusal('conflict', 'The first request with this Idempotency-Key has no answer yet.', {
      code: 'idempotency_key_in_use',
      retry_after: 1,
    })
  return { status: first.status, ...JSON.parse(first.answer) }
}

/** What makes a request the same: method, address with its query, and the body byte by byte; of a file, its length. */
function hashOf({ method, url, headers, body_bytes }: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(body_bytes ?? headers['content-length'] ?? '')
    .digest()
}

function giveAgain(reply: FastifyReply, { status, type, body }: Kept): void {
  reply.code(status).header('idempotency-replayed', 'true')
  if (type !== undefined) reply.header('content-type', type)
  // A serializer of its own keeps Fastify from adding a charset to the type.
  reply.serializer(String).send(body)
}

/** Keeps the answer that is about to be given, or gives the key back. Never refuses: the write is done or it is not. */
async function settle(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const { id, watch } = request.reservation as Reservation
  request.reservation = null
  const { statusCode } = reply
  if (!isLasting(statusCode) && watch.committed) return
  const type = reply.getHeader('content-type')
  const answer = JSON.stringify({ type, body: typeof payload === 'string' ? payload : '' })
  try {
    await ctx.db
      .transaction()
      .execute((tx) =>
        isLasting(statusCode) ? keepAnswer(tx, id, { status: statusCode, answer }) : releaseKey(tx, id),
      )
  } catch (error) {
    request.log.error({ err: error }, 'the answer to an Idempotency-Key was not kept')
  }
}

/** Whether the same request will have this answer again. */
const isLasting = (status: number): boolean => status < 500 && status !== 401 && status !== 429
