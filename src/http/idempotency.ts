import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { tryLockName } from '../db/dialect.ts'
import { Unit } from '../db/units.ts'
import { Refusal } from '../errors.ts'
import { deleteKeys, findKey, type KeyId, keepAnswer } from './idempotency-queries.ts'
import { problemOfError } from './problem.ts'

/**
 * `Idempotency-Key` (V9): a write that may be sent again and is done once.
 *
 * All that a request with a key writes is one unit of work (db/units.ts), and its answer is stored in it under the key.
 * So both are committed or neither is, whenever the program ends. Whoever comes with the key afterwards is given the
 * first answer again. An answer that may be another one next time (401, 429, 5xx) is not stored, and what the request
 * wrote is undone.
 *
 * While a request is under way its key is taken: in this process by a note in memory, among processes by a lock that its
 * transaction holds from its first write. Neither outlives its process.
 */

/** Seconds. */
const LIFETIME = 24 * 3_600
const HEADER = 'idempotency-key'
const KEY = /^[\x20-\x7e]{1,255}$/
const WRITES = new Set(['POST', 'PATCH'])

/** To whom a key belongs. */
export type KeyOwner = Omit<KeyId, 'key'>

/** A request with a key that is under way. */
interface Reservation {
  id: KeyId
  request_hash: Buffer
  unit: Unit
  /** Another process has the key: the answer to this request is not the key's. */
  isTaken: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    reservation: Reservation | null
  }
}

/** Requests under way in this process, by the names of their keys: what they ask. */
type UnderWay = Map<string, Buffer>

/** Lets POST and PATCH below this surface be repeated. A request without the header costs a look at it. */
export function acceptRepeats(
  ctx: Context,
  app: FastifyInstance,
  ownerOf: (request: FastifyRequest) => KeyOwner,
): void {
  const underWay: UnderWay = new Map()
  app.decorateRequest('reservation', null)
  // Before the body is validated: what is wrong with it is an answer too.
  app.addHook('preValidation', (request, reply, done) => {
    const key = request.headers[HEADER]
    if (key === undefined || !WRITES.has(request.method)) return done()
    begin(ctx, underWay, request, { ...ownerOf(request), key: String(key) }).then((first) => {
      if (first) giveAgain(reply, first)
      else (request.reservation as Reservation).unit.run(done)
    }, done)
  })
  // Behind the hooks of the surface, so that its content type is known.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { reservation } = request
    if (reservation === null) return done(null, payload)
    request.reservation = null
    settle(ctx, reservation, request, reply, payload)
      .finally(() => underWay.delete(nameOf(reservation.id)))
      .then((sent) => done(null, sent), done)
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

const nameOf = ({ account_id, caller, key }: KeyId): string => `idempotency ${account_id} ${caller} ${key}`

/** Takes the key for the request, or answers what is stored under it. */
async function begin(
  ctx: Context,
  underWay: UnderWay,
  request: FastifyRequest,
  id: KeyId,
): Promise<Kept | null> {
  if (!KEY.test(id.key))
    throw new Refusal('invalid', 'Idempotency-Key is 1 to 255 printable characters of ASCII.', {
      code: 'idempotency_key_invalid',
    })
  const [name, request_hash] = [nameOf(id), hashOf(request)]
  const other = underWay.get(name)
  if (other) throw other.equals(request_hash) ? inUse() : reused()
  underWay.set(name, request_hash)
  try {
    const first = await findFirst(ctx, id, request_hash)
    if (first) underWay.delete(name)
    else request.reservation = reserve(ctx, id, request_hash)
    return first
  } catch (error) {
    underWay.delete(name)
    throw error
  }
}

/** The answer that is stored under the key, if any. Throws when it was given to another request. */
async function findFirst(ctx: Context, id: KeyId, request_hash: Buffer): Promise<Kept | null> {
  const row = await findKey(ctx.db, id)
  if (!row || row.created_at <= ctx.now() - LIFETIME) return null
  if (!row.request_hash.equals(request_hash)) throw reused()
  // Earlier versions took a key before the write; what came of it then, nobody can say.
  if (row.status === null || row.answer === null) throw inUse()
  return { status: row.status, ...JSON.parse(row.answer) }
}

/** Before its first write a request looks again: no other process is at work under the key, and none was meanwhile. */
function reserve(ctx: Context, id: KeyId, request_hash: Buffer): Reservation {
  const unit = new Unit(async () => {
    const isFree = (await tryLockName(ctx.db, nameOf(id))) && !(await findFirst(ctx, id, request_hash))
    if (isFree) return
    reservation.isTaken = true
    throw inUse()
  })
  const reservation: Reservation = { id, request_hash, unit, isTaken: false }
  return reservation
}

const reused = () =>
  new Refusal('conflict', 'This Idempotency-Key was used for another request.', {
    code: 'idempotency_key_reused',
  })

const inUse = () =>
  new Refusal('conflict', 'The first request with this Idempotency-Key has no answer yet.', {
    code: 'idempotency_key_in_use',
    retry_after: 1,
  })

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

/**
 * Commits what the request wrote with the answer that is about to be given, or undoes it. Answers what is sent: a problem
 * in place of an answer whose change was not committed.
 */
async function settle(
  ctx: Context,
  { id, request_hash, unit, isTaken }: Reservation,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { statusCode } = reply
  const hasWritten = unit.state !== 'new'
  try {
    if (isTaken || !isLasting(statusCode)) {
      await unit.rollback()
      return payload
    }
    const type = reply.getHeader('content-type')
    const answer = JSON.stringify({ type, body: typeof payload === 'string' ? payload : '' })
    const row = { ...id, request_hash, status: statusCode, answer, created_at: ctx.now() }
    await unit.run(() => ctx.db.transaction().execute((tx) => keepAnswer(tx, row)))
    await unit.commit()
    return payload
  } catch (error) {
    await unit.rollback().catch(() => {})
    if (!hasWritten || !isLasting(statusCode)) {
      request.log.warn({ err: error }, 'the answer to an Idempotency-Key was not stored')
      return payload
    }
    const problem = problemOfError(error, request, reply)
    if (problem.retry_after !== undefined) reply.header('retry-after', problem.retry_after)
    reply.code(problem.status).header('content-type', 'application/problem+json').removeHeader('etag')
    return JSON.stringify(problem)
  }
}

/** Whether the same request will have this answer again; a key in use will not be for long. */
const isLasting = (status: number): boolean => status < 500 && status !== 401 && status !== 429
