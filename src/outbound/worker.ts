import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { logFailedWork } from '../db/failed-work.ts'
import { isOutage } from '../db/failures.ts'
import { isWithoutKey } from '../vault.ts'
import {
  type Attempted,
  asFault,
  type Call,
  type Claimed,
  type DeliveryKind,
  LeaseLost,
  prepareCall,
  recordAttempts,
  send,
} from './attempt.ts'
import { isAccepted, isAnswer, type Verdict } from './backoff.ts'
import { isBlocked } from './circuit-breaker.ts'
import { deleteUnusedCircuits, hastenLateCircuits } from './circuit-queries.ts'
import { Claims, nextPoll } from './claims.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { deleteExpiredDeliveries, deleteUnusedBodies, RETENTION } from './delivery-queries.ts'
import { hastenLate, returnLeases } from './queue-queries.ts'

/** Fewer than the connections of the client, so that requests on behalf of a waiting person find a free one. */
const ATTEMPTS = { each: 4, all: 96, slow: 24 }
/** Seconds that must be left of a lease when an attempt begins: wait for a connection, attempt, commit. */
const MIN_LEASE = 25
const PAUSE_MS = 1000
const RETENTION_MS = 3_600_000
/** Accepted attempts of this time are committed together: most of what a delivery costs is its transaction. */
const BATCH_MS = 10
/** A batch also waits for the one before it, but not longer than this: that one can wait for a lock. */
const LATE_BATCH_MS = 100
/** Smaller corrections of the clock are usual. */
const CLOCK_TOLERANCE_MS = 1_000
/** Circuits that are remembered as working. */
const REMEMBERED = 1000

/** The loop that empties the queue; see deliveries.ts. */
export class DeliveryWorker {
  readonly #ctx: Context
  readonly #kinds: Record<string, DeliveryKind>
  readonly #poll_ms: number
  readonly #feed: () => Promise<boolean>
  readonly #limiter = new ConcurrencyLimiter(ATTEMPTS)
  readonly #claims = new Claims(this.#limiter)
  readonly #stopping = new AbortController()
  readonly #tasks = new Set<Promise<void>>()
  /** Circuits whose last attempt in this process was answered, so they were closed. */
  readonly #answering = new Set<string>()
  #accepted: Attempted[] = []
  /** The batch that takes attempts, and the one that was last begun. */
  #recording: Promise<void> | undefined
  #recorded: Promise<void> = Promise.resolve()
  #unsent: Claimed[] = []
  /** Whether a poll may find more when a claimed delivery has ended. */
  #more = false
  #polling: Promise<unknown> = Promise.resolve()
  #loop: Promise<void> | undefined
  #changed = Promise.withResolvers<void>()
  #changes = 0
  #attempts = 0
  #retention_at = 0
  #clock_ahead_ms: number | undefined

  constructor(
    ctx: Context,
    kinds: Record<string, DeliveryKind>,
    { poll_ms, feed }: { poll_ms: number; feed: () => Promise<boolean> },
  ) {
    this.#ctx = ctx
    this.#poll_ms = poll_ms
    this.#feed = feed
    this.#kinds = kinds
  }

  wake(): void {
    this.#changes++
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  async runDue(): Promise<number> {
    const before = this.#attempts
    for (;;) {
      const seen = this.#changes
      const changed = this.#changed.promise
      if ((await this.#poll()) || seen !== this.#changes) continue
      if (this.#claims.size === 0) return this.#attempts - before
      await Promise.race([changed, Promise.all(this.#tasks)])
    }
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await this.#loop
    await this.#polling
    await Promise.all(this.#tasks)
    const unsent = this.#unsent.splice(0)
    if (unsent.length > 0) await this.#return(unsent)
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const seen = this.#changes
      const changed = this.#changed.promise
      const pause_ms = await this.#step()
      if (seen !== this.#changes || pause_ms === 0) continue
      const timer = setTimeout(() => this.wake(), pause_ms)
      await changed
      clearTimeout(timer)
    }
  }

  /** Polls, and returns the milliseconds until there is something to do again. */
  async #step(): Promise<number> {
    try {
      if (this.#ctx.monotonic() >= this.#retention_at) this.#deleteExpired()
      if (await this.#poll()) return 0
      const due = await nextPoll(this.#ctx.db)
      const wait_ms = due === null ? this.#poll_ms : due * 1000 - this.#ctx.clock()
      // Something is due and cannot be claimed: its endpoint is at its limit, or another process is just claiming it.
      return wait_ms > 0 ? Math.min(wait_ms, this.#poll_ms) : PAUSE_MS
    } catch (error) {
      logFailedWork(this.#ctx, error, 'the queue of deliveries could not be read')
      return PAUSE_MS
    }
  }

  /** Polls one after the other, because two would choose the same rows. Returns whether the next one may find more. */
  #poll(): Promise<boolean> {
    const poll = this.#polling.then(() => this.#pollOnce())
    this.#polling = poll.catch(() => {})
    return poll
  }

  async #pollOnce(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false
    const { db } = this.#ctx
    if (this.#clockWentBack())
      await db.transaction().execute(async (tx) => {
        await hastenLateCircuits(tx, this.#ctx.now())
        await hastenLate(tx, this.#ctx.now())
      })
    const has_more = await this.#queueMore()
    // This poll may not see what a delivery that ends meanwhile releases.
    this.#more = true
    const { claimed, more, more_later } = await this.#claims.poll(db, this.#ctx.now())
    this.#more = more_later
    for (const row of claimed) {
      this.#claims.add(row)
      this.#track(this.#deliver(row).finally(() => this.#claims.remove(row) && this.#more && this.wake()))
    }
    return more || has_more
  }

  /** A failure must not stop the deliveries that are queued already. */
  async #queueMore(): Promise<boolean> {
    try {
      return await this.#feed()
    } catch (error) {
      logFailedWork(this.#ctx, error, 'new deliveries could not be queued')
      return false
    }
  }

  /** Whether the clock has advanced by less than the time that passed. True at first: it was not watched before. */
  #clockWentBack(): boolean {
    const ahead = this.#ctx.clock() - this.#ctx.monotonic()
    const before = this.#clock_ahead_ms
    const wentBack = before === undefined || ahead < before - CLOCK_TOLERANCE_MS
    if (wentBack || ahead > before) this.#clock_ahead_ms = ahead
    return wentBack
  }

  #track(work: Promise<void>): void {
    const task = work
      .catch((error) => this.#ctx.log.error({ err: error }, 'a delivery could not be handled'))
      .finally(() => this.#tasks.delete(task))
    this.#tasks.add(task)
  }

  async #deliver(row: Claimed): Promise<void> {
    const attempted = await this.#sendInTurn(row)
    if (!attempted) {
      this.#more = true
      return
    }
    if (row.circuit !== null) this.#remember(row.circuit, isAnswer(attempted.response))
    if (isAccepted(attempted.outcome)) return this.#recordSoon(attempted)
    this.#more = true
    await this.#record(attempted)
  }

  /** Sends a claimed delivery when its endpoint has a free place; null when it must not be sent now. */
  async #sendInTurn(row: Claimed): Promise<Attempted | null> {
    for (let endpoint = row.endpoint; ; ) {
      const release = await this.#limiter.acquire(endpoint, this.#stopping.signal).catch(() => null)
      if (!release) {
        this.#unsent.push(row)
        return null
      }
      let took_ms: number | null = null
      try {
        const call = await this.#prepare(row)
        if (!call) return null
        if (call.endpoint === endpoint) {
          const attempted = await send(this.#ctx, row, call)
          took_ms = call.is_fault ? null : attempted.attempt.duration_ms
          this.#attempts++
          return attempted
        }
        // The owner sends it elsewhere: it waits there, and is prepared again.
        endpoint = call.endpoint
      } finally {
        release(took_ms)
      }
    }
  }

  /** Null when the delivery has waited too long for its turn, or its circuit has opened since it was claimed. */
  async #prepare(row: Claimed): Promise<Call | null> {
    // It is due again when its lease ends.
    if (row.leased_until - this.#ctx.now() < MIN_LEASE) return null
    if (row.circuit !== null && !row.is_probe && !this.#answering.has(row.circuit))
      if (await isBlocked(this.#ctx.db, row.circuit)) {
        await this.#return([row])
        return null
      }
    try {
      return await prepareCall(this.#ctx, row, this.#kinds[row.kind] ?? {})
    } catch (error) {
      if (isWithoutKey(error)) {
        // Not an attempt either. When its lease ends, another server has the key, or this one after its restart.
        const { id, kind } = row
        this.#ctx.log.error({ err: error, delivery: id, kind }, 'a delivery could not be prepared')
        return null
      }
      // An outage is not an attempt: the delivery is due again as soon as the database is back.
      await this.#throughOutages(row.leased_until, () => this.#return([row]))
      return null
    }
  }

  #remember(circuit: string, isAnswering: boolean): void {
    if (this.#answering.size >= REMEMBERED) this.#answering.clear()
    if (isAnswering) this.#answering.add(circuit)
    else this.#answering.delete(circuit)
  }

  #return(rows: Claimed[]): Promise<void> {
    return this.#ctx.db.transaction().execute((tx) => returnLeases(tx, rows, this.#ctx.now()))
  }

  /** Records an accepted attempt with the next batch. */
  #recordSoon(attempted: Attempted): Promise<void> {
    this.#accepted.push(attempted)
    this.#recording ??= this.#recordNext()
    return this.#recording
  }

  async #recordNext(): Promise<void> {
    await sleep(BATCH_MS)
    await Promise.race([this.#recorded.catch(() => {}), sleep(LATE_BATCH_MS, undefined, { ref: false })])
    this.#recording = undefined
    this.#recorded = this.#recordBatch(this.#accepted.splice(0))
    return this.#recorded
  }

  /** Records attempts together, or each by itself when that fails: one of them must not block the others. */
  async #recordBatch(attempts: Attempted[]): Promise<void> {
    try {
      const leased_until = Math.min(...attempts.map(({ row }) => row.leased_until))
      const recorded = await this.#throughOutages(leased_until, () =>
        recordAttempts(this.#ctx, attempts, this.#kinds),
      )
      if (recorded.released) this.#more = true
      for (const attempted of attempts) this.#report(attempted, recorded.verdict)
    } catch (error) {
      const deliveries = attempts.map(({ row }) => row.id)
      this.#ctx.log.info({ err: error, deliveries }, 'attempts could not be recorded together')
      this.#more = true
      await Promise.all(attempts.map((attempted) => this.#record(attempted)))
    }
  }

  /**
   * Records an attempt. It tries twice, because a commit can fail by a deadlock, and then without the owner as a fault: the
   * attempt counts, so an owner that always throws does not cause endless sending.
   */
  async #record(attempted: Attempted): Promise<void> {
    const ways: [Attempted, Record<string, DeliveryKind>][] = [
      [attempted, this.#kinds],
      [attempted, this.#kinds],
      [asFault(attempted), {}],
    ]
    const { id, kind, leased_until } = attempted.row
    for (const [made, kinds] of ways) {
      try {
        const { verdict } = await this.#throughOutages(leased_until, () =>
          recordAttempts(this.#ctx, [made], kinds),
        )
        this.#report(made, verdict)
        return
      } catch (error) {
        if (error instanceof LeaseLost) return this.#ctx.log.info({ delivery: id }, error.message)
        this.#ctx.log.error({ err: error, delivery: id, kind }, 'an attempt could not be recorded')
      }
    }
  }

  /**
   * Repeats a commit while the database is unreachable, until the lease ends: otherwise the delivery would be sent once more.
   * If the commit was successful after all, the repetition finds the lease gone.
   */
  async #throughOutages<T>(leased_until: number, commit: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await commit()
      } catch (error) {
        const isOver = leased_until <= this.#ctx.now() || this.#stopping.signal.aborted
        if (isOver || !isOutage(error)) throw error
        await sleep(PAUSE_MS, undefined, { ref: false })
      }
    }
  }

  #report({ row: { id, kind, account_id, request_id }, attempt }: Attempted, verdict: Verdict): void {
    const outcome = verdict.state === 'ready' ? 'retried' : verdict.state
    this.#ctx.metrics.deliveries.inc({ kind, outcome })
    const line = {
      ...{ delivery: id, kind, account_id, request_id },
      ...{ attempt: attempt.attempt, status: attempt.status, error: attempt.error, outcome },
      why: verdict.state === 'failed' ? verdict.why : undefined,
    }
    if (verdict.state === 'failed') this.#ctx.log.warn(line, 'a delivery has failed for good')
    else this.#ctx.log.debug(line, 'a delivery was attempted')
  }

  #deleteExpired(): void {
    this.#retention_at = this.#ctx.monotonic() + RETENTION_MS
    const { db } = this.#ctx
    const now = this.#ctx.now()
    const deleteAll = async () => {
      await deleteExpiredDeliveries(db, now)
      await deleteUnusedBodies(db, now)
      await db.transaction().execute((tx) => deleteUnusedCircuits(tx, now - RETENTION))
    }
    this.#track(deleteAll())
  }
}
