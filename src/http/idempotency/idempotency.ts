import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { tryLockName } from '../../db/dialect.ts'
import { sealStored } from '../../db/master-key.ts'
import { Unit } from '../../db/units.ts'
import { Refusal } from '../../errors.ts'
import { problemOfError } from '../problems/problem.ts'
import { deleteOldestKeys, findKey, type KeyId, keepAnswer } from './idempotency-queries.ts'
import { answerPlace } from './idempotency-sealed-queries.ts'

/**
 * `Idempotency-Key` (V9): a write that can be repeated and happens once.
 *
 * All writes of a request with a key are one unit of work (db/units.ts), and its answer is stored in the same unit. So
 * both are committed or neither, even if the program is killed. A later request with the key gets the stored answer. An
 * answer that can change (401, 429, 5xx) is not stored, and the request's writes are undone. The answers of operations that
 * are `is_confidential` are encrypted.
 *
 * While a request runs, its key is in use: within this process by an entry in memory, across processes by a lock that
 * its transaction holds from its first write. Both end with the process.
 */

const LIFETIME = 24 * 3_600
const HEADER = 'idempotency-key'
const KEY = /^[\x20-\x7e]{1,255}$/
const WRITES = new Set(['POST', 'PATCH'])

/** The owner of a key. */
export type KeyOwner = Omit<KeyId, 'key'>

/** A running request with a key. */
interface Reservation {
  id: KeyId
  request_hash: Buffer
  unit: Unit
  /** Another process has the key, so this request's answer must not be stored under it. */
  isTaken: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    reservation: Reservation | null
  }
}

/** Running requests of this process: the hash of each request by the name of its key. */
type UnderWay = Map<string, Buffer>

/** Makes POST and PATCH below this surface repeatable: all of them, or the chosen ones. */
export function acceptRepeats(
  ctx: Context,
  app: FastifyInstance,
  ownerOf: (request: FastifyRequest) => KeyOwner,
  isChosen: (request: FastifyRequest) => boolean = () => true,
): void {
  const underWay: UnderWay = new Map()
  app.decorateRequest('reservation', null)
  // Runs before validation, because a validation error is an answer too.
  app.addHook('preValidation', (request, reply, done) => {
    const key = request.headers[HEADER]
    if (key === undefined || !WRITES.has(request.method) || !isChosen(request)) return done()
    begin(ctx, underWay, request, { ...ownerOf(request), key: String(key) }).then((first) => {
      if (first) giveAgain(reply, first)
      else (request.reservation as Reservation).unit.run(done)
    }, done)
  })
  // Runs after the hooks of the surface, so the content type is final.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { reservation } = request
    if (reservation === null) return done(null, payload)
    request.reservation = null
    settle(ctx, reservation, request, reply, payload)
      .finally(() => underWay.delete(nameOf(reservation.id)))
      .then((sent) => done(null, sent), done)
  })
}

/** Deletes expired keys, some in each transaction. Runs periodically. */
export async function sweepKeys(ctx: Context): Promise<void> {
  const some = () => ctx.db.transaction().execute((tx) => deleteOldestKeys(tx, ctx.now() - LIFETIME))
  while (await some()) await setImmediate()
}

interface Kept {
  status: number
  type: string | undefined
  body: string
}

const nameOf = ({ account_id, caller, key }: KeyId): string => `idempotency ${account_id} ${caller} ${key}`

/** Takes the key for the request, or sends the stored answer. */
async function begin(
  ctx: Context,
  underWay: UnderWay,
  request: FastifyRequest,
  id: KeyId,
): Promise<Kept | null> {
  if (!KEY.test(id.key))
    throw new Refusal('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
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

/** The stored answer under the key, if any. Throws if it belongs to a different request. */
async function findFirst(ctx: Context, id: KeyId, request_hash: Buffer): Promise<Kept | null> {
  const row = await findKey(ctx.db, id)
  if (!row || row.created_at <= ctx.now() - LIFETIME) return null
  if (!row.request_hash.equals(request_hash)) throw reused()
  const { status, answer, sealed_answer: sealed } = row
  const text = sealed ? ctx.vault.unseal(answerPlace(id), sealed) : answer
  // Earlier versions stored the key before the write. The outcome of such a write is unknown.
  if (status === null || text === null) throw inUse()
  return { status, ...JSON.parse(text) }
}

/** Checks again before the first write that no other process uses the key or has used it meanwhile. */
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
  new Refusal('conflict', 'This Idempotency-Key was used for a different request.', {
    code: 'idempotency_key_reused',
  })

const inUse = () =>
  new Refusal('conflict', 'The first request with this Idempotency-Key has no answer yet.', {
    code: 'idempotency_key_in_use',
    retry_after: 1,
  })

/** Identifies a request: method, address with query, the person whom it names (A24), and body. For a file, only its length. */
function hashOf({ method, url, headers, body_bytes }: FastifyRequest): Buffer {
  const named = headers['x-context-user-id']
  return createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(named === undefined ? '' : `${named}\n`)
    .update(body_bytes ?? headers['content-length'] ?? '')
    .digest()
}

function giveAgain(reply: FastifyReply, { status, type, body }: Kept): void {
  reply.code(status).header('idempotency-replayed', 'true')
  if (type !== undefined) reply.header('content-type', type)
  // A custom serializer keeps Fastify from adding a charset to the type.
  reply.serializer(String).send(body)
}

/**
 * Commits the request's writes together with its answer, or undoes them. Returns the answer to send: a problem if the
 * commit failed.
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
    const kept = { ...id, request_hash, status: statusCode, created_at: ctx.now() }
    await unit.run(() =>
      ctx.db.transaction().execute(async (tx) => {
        if (!request.routeOptions.schema?.is_confidential)
          return keepAnswer(tx, { ...kept, answer, sealed_answer: null })
        const sealed_answer = await sealStored(tx, ctx.vault, answerPlace(id), answer)
        return keepAnswer(tx, { ...kept, answer: null, sealed_answer })
      }),
    )
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

/** Whether a repeated request would get the same answer. A key in use is temporary. */
const isLasting = (status: number): boolean => status < 500 && status !== 401 && status !== 429
