import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'
import { listRequestLogSettings, type RequestLogSetting } from '../accounts/accounts.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { isPostgres } from '../db/dialect.ts'
import { openRequestLogDatabase, type RequestLogDb } from '../db/request-log-database.ts'
import { createTurns } from '../fair-turns.ts'
import type { Exchange, Traffic } from '../traffic.ts'
import { Batch, type BatchDraft } from './batch.ts'
import { type Entry, entryOf, lengthOf } from './entries.ts'
import { createOwners, type Owner } from './owners.ts'
import { insertBatches } from './queries.ts'
import { deadToken, type Refused, refused } from './refusals.ts'
import { BATCH_ROWS } from './search.ts'

/** Requests are written after this many milliseconds, or when a batch is full. */
const EVERY_MS = 100
/** The bounds of the memory that waiting exchanges take; more are dropped and counted. */
const MOST_WAITING = { rows: 10_000, bytes: 32 * 1024 * 1024 }
/** The memory that an exchange that needs look-ups takes besides its bodies, in bytes. */
const OVERHEAD = 4_096
/** The most entries that are taken from the queue at once. */
const AT_ONCE = 500
/** The minimum interval between two warnings, in milliseconds. */
const WARNED_EVERY = 10_000

const DEFAULT_DAYS = 3

export interface RecorderParts {
  config: Config
  db: Db
  log: Logger
  clock: () => number
}

/** Timers start outside of the request that starts them, because a request can have an open unit of work. */
const outside = AsyncLocalStorage.snapshot()

/** The queue of the log: finished entries, or an exchange whose owner or refusal has to be looked up. */
type Waiting = Batch | Exchange

/**
 * Records the traffic of the server. Secrets are replaced as soon as the answer was sent, so that what waits in memory is
 * compact. Requests of one moment are written together, so no answer waits for the log. Look-ups are done then,
 * with pauses for other work.
 */
export class RequestLog implements Traffic {
  /** Whether any account records. */
  isOn: boolean
  /** Exchanges that were not recorded, because too many were waiting or the store failed. */
  dropped = 0
  /** Requests by account since they were last counted, for the upkeep. */
  readonly written = new Map<number, number>()
  readonly #parts: RecorderParts
  readonly #standard: RequestLogSetting
  #settings = new Map<number, RequestLogSetting>()
  #waiting: Waiting[] = []
  /** The exchanges and the bytes in it. */
  #count = 0
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  #store: RequestLogDb | undefined
  #warned_at = Number.NEGATIVE_INFINITY
  #isClosed = false
  readonly #listeners = new Set<() => void>()

  constructor(parts: RecorderParts) {
    this.#parts = parts
    this.#standard = { is_on: parts.config.mode === 'dev', days: DEFAULT_DAYS, keeps_bodies: true }
    this.isOn = this.#standard.is_on
  }

  /** The store, opened at its first use: the embedded database has no such file until something is recorded. */
  get store(): RequestLogDb {
    this.#store ??= openRequestLogDatabase(this.#parts.config, this.#parts.db)
    return this.#store
  }

  /** The request log setting of an account. */
  settingOf(account_id: number): RequestLogSetting {
    return this.#settings.get(account_id) ?? this.#standard
  }

  /** Reads the settings of all accounts. Other processes can change them. */
  async readSettings(): Promise<void> {
    const rows = await listRequestLogSettings(this.#parts.db)
    this.#settings = new Map(
      rows.map(({ id, is_request_log_on, request_log_days, keeps_request_bodies }) => [
        id,
        {
          is_on: is_request_log_on === null ? this.#standard.is_on : is_request_log_on === 1,
          days: request_log_days,
          keeps_bodies: keeps_request_bodies === 1,
        },
      ]),
    )
    this.isOn = this.#standard.is_on || [...this.#settings.values()].some(({ is_on }) => is_on)
  }

  /** Does not throw: a fault of the log must not become one of a request or a delivery. */
  add(exchange: Exchange): void {
    if (this.#isClosed) return
    if (exchange.account_id !== null && !this.settingOf(exchange.account_id).is_on) return
    try {
      if (this.#count < MOST_WAITING.rows) this.#keep(exchange)
      else this.#drop(1)
    } catch (error) {
      this.#drop(1, error)
    }
  }

  #keep(exchange: Exchange): void {
    const owner = ownAccount(exchange)
    const entry = owner && entryOf(exchange, owner, null, this.settingOf(owner.account_id).keeps_bodies)
    const bytes = entry ? lengthOf(entry) : bytesOf(exchange)
    if (this.#bytes + bytes > MOST_WAITING.bytes) {
      this.#drop(1)
      return
    }
    this.#bytes += bytes
    if (entry) this.#batchFor(entry).add(entry)
    else this.#waiting.push(exchange)
    this.#count++
    if (this.#count === BATCH_ROWS || this.#listeners.size > 0) setImmediate(this.#flushSoon)
    else this.#timer ??= outside(() => setTimeout(this.#flushSoon, EVERY_MS).unref())
  }

  /** The batch at the end of the queue if the entry fits into it. */
  #batchFor(entry: Entry): Batch {
    const last = this.#waiting.at(-1)
    if (last instanceof Batch && last.account_id === entry.account_id && last.hasRoomFor(1, lengthOf(entry)))
      return last
    const batch = new Batch(entry.account_id)
    this.#waiting.push(batch)
    return batch
  }

  /** Calls the listener after each write, until the returned function is called. While there is one, writes are immediate. */
  onWritten(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Exchanges that wait to be written, for the metrics. */
  get waiting(): number {
    return this.#count
  }

  readonly #flushSoon = () => void this.flush()

  /** Writes everything that was added before the call. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#flushing) await this.#flushing
    if (this.#waiting.length === 0) return
    this.#flushing = outside(() => this.#writeAll()).finally(() => {
      this.#flushing = undefined
    })
    await this.#flushing
  }

  /** Writes what is waiting, and closes the store. */
  async close(): Promise<void> {
    await this.flush()
    this.#isClosed = true
    if (this.#store && !isPostgres(this.#parts.db)) await this.#store.destroy()
    this.#store = undefined
  }

  async #writeAll(): Promise<void> {
    // Entries that are added meanwhile have a flush of their own, so that a flush ends under any load.
    let left = this.#waiting.length
    while (left > 0) {
      const waiting = this.#waiting.splice(0, Math.min(left, AT_ONCE))
      left -= waiting.length
      const count = waiting.reduce((sum, one) => sum + countOf(one), 0)
      const bytes = waiting.reduce((sum, one) => sum + bytesOf(one), 0)
      this.#count -= count
      try {
        await this.#write(await this.#batchesOf(waiting))
      } catch (error) {
        this.#drop(count, error)
      }
      this.#bytes -= bytes
    }
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(this.#flushSoon, EVERY_MS).unref()
    for (const listener of this.#listeners) listener()
  }

  async #write(batches: readonly Batch[]): Promise<void> {
    if (batches.length === 0) return
    const rows: BatchDraft[] = []
    const nextTurn = createTurns()
    for (const batch of batches) {
      rows.push(batch.toRow())
      const turn = nextTurn()
      if (turn) await turn
    }
    await insertBatches(this.store, rows)
    for (const { account_id, count } of rows)
      this.written.set(account_id, (this.written.get(account_id) ?? 0) + count)
  }

  /** Looks up the owners that are not known yet, explains refusals, and puts requests that fit together into batches. */
  async #batchesOf(waiting: readonly Waiting[]): Promise<Batch[]> {
    const batches: Batch[] = []
    const last = new Map<number, Batch>()
    const add = (batch: Batch) => {
      const before = last.get(batch.account_id)
      if (before?.hasRoomFor(batch.count, batch.size)) {
        before.join(batch)
        return
      }
      last.set(batch.account_id, batch)
      batches.push(batch)
    }
    const ownerOf = createOwners(this.#parts.db)
    const nextTurn = createTurns()
    for (const one of waiting) {
      const batch = one instanceof Batch ? one : await this.#batchOf(one, ownerOf)
      if (batch) add(batch)
      const turn = nextTurn()
      if (turn) await turn
    }
    return batches
  }

  async #batchOf(one: Exchange, ownerOf: ReturnType<typeof createOwners>): Promise<Batch | null> {
    const owner = await ownerOf(one, Math.floor((one.at + one.duration_ms) / 1000))
    const setting = owner && this.settingOf(owner.account_id)
    if (!owner || !setting?.is_on) return null
    const why = isRefused(one) ? await explain(one, owner) : null
    const batch = new Batch(owner.account_id)
    batch.add(entryOf(one, owner, why, setting.keeps_bodies))
    return batch
  }

  #drop(count: number, error?: unknown): void {
    this.dropped += count
    if (performance.now() - this.#warned_at < WARNED_EVERY) return
    this.#warned_at = performance.now()
    this.#parts.log.warn(
      { err: error, dropped_since_start: this.dropped },
      'the request log does not record all requests',
    )
  }
}

async function explain(
  { status, operation, response, explainSignature }: Exchange,
  { account_id, token, sent }: Owner,
): Promise<Refused> {
  const text = response.content === null ? null : String(response.content)
  const isAboutToken = status === 401 || (status === 400 && operation === 'oauth.token')
  const dead = isAboutToken && token !== undefined ? deadToken(token, sent ?? null) : null
  const fault = (await explainSignature?.(account_id)) ?? null
  return refused(status as number, text, dead, fault)
}

/** The owner of a request that needs no look-up. */
function ownAccount(exchange: Exchange): Owner | null {
  const isKnown =
    exchange.account_id !== null && !isRefused(exchange) && !exchange.operation.startsWith('oauth.')
  return isKnown ? (exchange as Owner) : null
}

const isRefused = ({ direction, status }: Exchange): boolean =>
  direction === 'in' && status !== null && status >= 400 && status < 500

const countOf = (waiting: Waiting): number => (waiting instanceof Batch ? waiting.count : 1)

const bytesOf = (waiting: Waiting): number => {
  if (waiting instanceof Batch) return waiting.cost
  const { url, request, response } = waiting
  return OVERHEAD + url.length + (request.content?.length ?? 0) + (response.content?.length ?? 0)
}
