import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isOutage } from '../db/failures.ts'
import { asFault, type Call, prepareCall, type Tried, tryOnce } from './attempt.ts'
import { Batcher } from './batcher.ts'
import { isHeldUp } from './circuits.ts'
import { ClockSteps, hasten } from './clock-steps.ts'
import type { GiveBack } from './concurrency-limiter.ts'
import { InFlight } from './in-flight.ts'
import { type ClaimedRow, returnLeases } from './lease-queries.ts'
import { nextPoll, pollOnce } from './poll.ts'
import { isAnswer, isArrival, type Verdict } from './schedule.ts'
import { type DeliveryKind, type Ended, LeaseLost, settle, settleArrived } from './settle.ts'
import { sweepCircuits, sweepDeliveries } from './sweep.ts'
import { endpointOf } from './targets.ts'

/** Seconds that must be left of a lease when a try begins: its turn for a socket, the try itself, the commit. */
const ENOUGH = 25
/** How late another process's new deliveries may be noticed. */
const POLL_MS = 5000
const PAUSE_MS = 1000
const SWEEP_SECONDS = 3600

/** The loop that empties the queue; see deliveries.ts. */
export class DeliveryWorker {
  readonly #ctx: Context
  readonly #kinds: Record<string, DeliveryKind>
  readonly #inFlight = new InFlight()
  readonly #clock: ClockSteps
  readonly #stopping = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  readonly #arrived = new Batcher<Ended>((arrived) => this.#settleArrived(arrived))
  /** Whether a poll may find more as soon as fewer deliveries are in flight. */
  #more = false
  #unused: ClaimedRow[] = []
  #polling: Promise<unknown> = Promise.resolve()
  #loop: Promise<void> | undefined
  #changed = Promise.withResolvers<void>()
  #changes = 0
  #made = 0
  #sweep_at = 0

  constructor(ctx: Context, kinds: Record<string, DeliveryKind>) {
    this.#ctx = ctx
    this.#kinds = kinds
    this.#clock = new ClockSteps(ctx)
  }

  wake(): void {
    this.#changes++
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  async runDue(): Promise<number> {
    const before = this.#made
    for (;;) {
      const seen = this.#changes
      const changed = this.#changed.promise
      if ((await this.#poll()) || seen !== this.#changes) continue
      if (this.#inFlight.size === 0) return this.#made - before
      await Promise.race([changed, Promise.all(this.#underWay)])
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
    await Promise.all(this.#underWay)
    const unused = this.#unused.splice(0)
    if (unused.length > 0) await this.#return(unused)
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

  /** Claims what there is, and answers for how long nothing more can be done, in milliseconds. */
  async #step(): Promise<number> {
    try {
      if (this.#ctx.monotonic() >= this.#sweep_at) this.#sweep()
      if (await this.#poll()) return 0
      const due = await nextPoll(this.#ctx.db)
      const wait_ms = due === null ? POLL_MS : due * 1000 - this.#ctx.clock()
      // Due and yet not to be had: its endpoint is full, or another process is just taking it.
      return wait_ms > 0 ? Math.min(wait_ms, POLL_MS) : PAUSE_MS
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'the queue of deliveries could not be read')
      return PAUSE_MS
    }
  }

  /** One poll at a time, or two would choose the same rows. Answers whether the next one may find more. */
  #poll(): Promise<boolean> {
    const poll = this.#polling.then(() => this.#pollOnce())
    this.#polling = poll.catch(() => {})
    return poll
  }

  async #pollOnce(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false
    if (this.#clock.wentBack()) await this.#ctx.db.transaction().execute((tx) => hasten(tx, this.#ctx.now()))
    // A delivery that ends during the poll may not be seen by it.
    this.#more = true
    const { claimed, more, left } = await pollOnce(this.#ctx.db, this.#inFlight, this.#ctx.now())
    this.#more = left
    for (const row of claimed.sort((a, b) => a.id - b.id)) {
      this.#inFlight.add(row)
      this.#track(this.#carry(row).finally(() => this.#inFlight.remove(row) && this.#more && this.wake()))
    }
    return more
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => this.#ctx.log.error({ err: error }, 'the queue of deliveries met a fault'))
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #carry(row: ClaimedRow): Promise<void> {
    const tried = await this.#tryInTurn(row)
    if (tried && row.circuit !== null) this.#inFlight.note(row.circuit, isAnswer(tried.heard))
    if (tried && isArrival(tried.outcome)) return this.#arrived.add({ row, tried })
    this.#more = true
    if (tried) await this.#settle(row, tried)
  }

  /** Sends a leased delivery when its turn comes; null when it is not to be sent now. */
  async #tryInTurn(row: ClaimedRow): Promise<Tried | null> {
    const turn = await this.#turn(row)
    if (!turn) return null
    let took_ms: number | null = null
    try {
      const tried = await tryOnce(this.#ctx, row, turn.call)
      took_ms = turn.call.is_fault ? null : tried.attempt.duration_ms
      this.#made++
      return tried
    } finally {
      turn.giveBack(took_ms)
    }
  }

  /** Waits for a place among those that go to the same endpoint: where that is, is known when it is prepared. */
  async #turn(row: ClaimedRow): Promise<{ call: Call; giveBack: GiveBack } | null> {
    for (let endpoint = endpointOf(row.url); ; ) {
      const giveBack = await this.#inFlight.turn(endpoint, this.#stopping.signal).catch(() => null)
      if (!giveBack) {
        this.#unused.push(row)
        return null
      }
      let call: Call | null = null
      try {
        call = await this.#prepare(row)
        if (call?.endpoint === endpoint) return { call, giveBack }
      } finally {
        if (call?.endpoint !== endpoint) giveBack(null)
      }
      if (!call) return null
      endpoint = call.endpoint
    }
  }

  /** null when it must not go: it waited too long for its turn, or its circuit has opened meanwhile. */
  async #prepare(row: ClaimedRow): Promise<Call | null> {
    // Left alone, it is due again when the lease ends.
    if (row.leased_until - this.#ctx.now() < ENOUGH) return null
    if (row.circuit !== null && !row.is_probe && (await this.#isHeldUp(row.circuit))) {
      await this.#return([row])
      return null
    }
    return prepareCall(this.#ctx, row, this.#kinds[row.kind] ?? {})
  }

  async #isHeldUp(circuit: string): Promise<boolean> {
    return !this.#inFlight.isAnswering(circuit) && isHeldUp(this.#ctx.db, circuit)
  }

  #return(rows: ClaimedRow[]): Promise<void> {
    return this.#ctx.db.transaction().execute((tx) => returnLeases(tx, rows, this.#ctx.now()))
  }

  /** Together; each by itself when that does not do, for one of them shall not hold up the others. */
  async #settleArrived(arrived: Ended[]): Promise<void> {
    try {
      const leased_until = Math.min(...arrived.map(({ row }) => row.leased_until))
      const commit = () => settleArrived(this.#ctx, arrived, this.#kinds)
      if (await this.#throughOutages({ leased_until }, commit)) this.#more = true
      for (const { row, tried } of arrived) this.#report(row, tried, { state: 'delivered' })
    } catch (error) {
      const deliveries = arrived.map(({ row }) => row.id)
      this.#ctx.log.info({ err: error, deliveries }, 'tries could not be settled together')
      this.#more = true
      await Promise.all(arrived.map(({ row, tried }) => this.#settle(row, tried)))
    }
  }

  /**
   * Twice, for a commit may fail by a deadlock; then as a fault, without the owner: its try counts, so that an
   * owner that always throws does not make us send for ever.
   */
  async #settle(row: ClaimedRow, tried: Tried): Promise<void> {
    const kind = this.#kinds[row.kind] ?? {}
    const ways: [Tried, DeliveryKind][] = [
      [tried, kind],
      [tried, kind],
      [asFault(tried), {}],
    ]
    for (const [result, owner] of ways) {
      try {
        const verdict = await this.#throughOutages(row, () => settle(this.#ctx, row, result, owner))
        this.#report(row, result, verdict)
        return
      } catch (error) {
        if (error instanceof LeaseLost) return this.#ctx.log.info({ delivery: row.id }, error.message)
        this.#ctx.log.error({ err: error, delivery: row.id, kind: row.kind }, 'a try could not be settled')
      }
    }
  }

  /**
   * Commits what came of a try again while the database is away, for as long as the lease lasts: else the delivery would
   * be sent once more. A commit that was done all the same is found as a lost lease.
   */
  async #throughOutages<T>(row: Pick<ClaimedRow, 'leased_until'>, commit: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await commit()
      } catch (error) {
        const isOver = row.leased_until <= this.#ctx.now() || this.#stopping.signal.aborted
        if (isOver || !isOutage(error)) throw error
        await sleep(PAUSE_MS, undefined, { ref: false })
      }
    }
  }

  #report({ id, kind, account_id, request_id }: ClaimedRow, { attempt }: Tried, verdict: Verdict): void {
    const outcome = verdict.state === 'pending' ? 'retried' : verdict.state
    this.#ctx.metrics.deliveries.inc({ kind, outcome })
    const why = verdict.state === 'failed' ? verdict.why : undefined
    const what = { delivery: id, kind, account_id, request_id }
    const line = {
      ...what,
      attempt: attempt.attempt,
      status: attempt.status,
      error: attempt.error,
      outcome,
      why,
    }
    if (verdict.state === 'failed') this.#ctx.log.warn(line, 'a delivery has failed for good')
    else this.#ctx.log.debug(line, 'a delivery was tried')
  }

  #sweep(): void {
    this.#sweep_at = this.#ctx.monotonic() + SWEEP_SECONDS * 1000
    this.#track(this.#sweepAll(this.#ctx.now()))
  }

  async #sweepAll(now: number): Promise<void> {
    await sweepDeliveries(this.#ctx.db, now)
    await sweepCircuits(this.#ctx.db, now)
  }
}
